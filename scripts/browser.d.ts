// Browser as the scripts of this project meet it, where TypeScript's own description says less.

/** Name of the tag at the end of a selector, or a text that is no tag. */
type TagOf<S extends string> = S extends `${string},${string}` ? ""
  : S extends `${string} ${infer Last}` ? TagOf<Last>
  : S extends `${infer Tag}[${string}` ? TagOf<Tag>
  : S extends `${infer Tag}:${string}` ? TagOf<Tag>
  : S extends `${infer Tag}.${string}` ? TagOf<Tag>
  : S extends `${infer Tag}#${string}` ? TagOf<Tag>
  : S

/** Elements of our pages are HTML: a selector that names a tag meets an element of that kind. */
type Selected<S extends string> = TagOf<S> extends keyof HTMLElementTagNameMap
  ? HTMLElementTagNameMap[TagOf<S>] : HTMLElement

interface ParentNode {
  querySelector<S extends string>(selectors: S): Selected<S> | null
  querySelectorAll<S extends string>(selectors: S): NodeListOf<Selected<S>>
}

interface Element {
  closest<S extends string>(selectors: S): Selected<S> | null
}

/** Listeners of a document that ask an event where it happened: always at an element. */
interface Document {
  addEventListener(type: "click", hear: (event: MouseEvent & { target: HTMLElement }) => unknown,
    options?: AddEventListenerOptions): void
  addEventListener(type: "focusin", hear: (event: FocusEvent & { target: HTMLElement }) => unknown,
    options?: AddEventListenerOptions): void
  addEventListener(type: "input" | "change",
    hear: (event: Event & { target: HTMLInputElement }) => unknown,
    options?: AddEventListenerOptions): void
  addEventListener(type: "submit",
    hear: (event: SubmitEvent & { target: HTMLFormElement }) => unknown,
    options?: AddEventListenerOptions): void
}

interface DocumentEventMap {
  "plateau:chart": CustomEvent & { target: HTMLElement }
  "htmx:before:request": CustomEvent
  "htmx:finally:request": CustomEvent
  "htmx:after:swap": CustomEvent
}

interface HTMLDivElement {
  /** Listens to an event of Plotly's, on an element in which Plotly has drawn. */
  on(event: string, hear: (detail: any) => void): void
}

declare var htmx: {
  config: { morphIgnore: string[] }
  process(element: Element): void
  ajax(verb: string, address: string, how: { target: string, swap: string }): Promise<void>
}
