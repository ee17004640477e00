// An answer as the outbox keeps it and the server reads it. Pure.

import { describe } from "./marks.js";
import { address } from "./series.js";

export function entryOf({ task, answer, id, view, seconds, guideVersion, urls }) {
  const { kind, index, changes, unsure, difficulty, note } = answer
  return {
    id,
    task: address(urls, "annotate-task", task.position),
    url: address(urls, "annotate-marks", task.position),
    position: task.position,
    label: `series ${task.position} · ${describe(answer)}`,
    answer,
    view,
    body: {
      kind,
      index: index === null || changes ? "" : String(index),
      ...(changes ? { changes: changes.join(" ") } : {}),
      unsure: unsure ? "on" : "",
      difficulty: String(difficulty ?? ""),
      note,
      seconds: String(seconds),
      digest: task.digest,
      client_id: id,
      guide_version: String(guideVersion),
      view: JSON.stringify(view),
    },
  }
}
