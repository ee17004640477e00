// The strip of answers, for charts that have one: createChart takes it as an option.

export { drawnStrip, moreMenu, placeSymbols as placed } from "./strip.js";
export { connectStrip, drawnPeek } from "./strip-pointing.js";
