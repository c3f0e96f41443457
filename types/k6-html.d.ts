// Documents by CSS selector and by element.

declare module "k6/html" {
  /** What selects elements: a CSS selector, other selections and elements. */
  type Selector = string | Selection | Element;
  type Filter = Selector | ((index: number, element: Element) => boolean);

  export interface Selection {
    add(selector: Selector): Selection;
    children(selector?: string): Selection;
    closest(selector: Selector): Selection;
    contents(): Selection;
    end(): Selection;
    eq(index: number): Selection;
    filter(filter: Filter): Selection;
    find(selector: Selector): Selection;
    first(): Selection;
    has(selector: Selector): Selection;
    last(): Selection;
    next(selector?: string): Selection;
    nextAll(selector?: string): Selection;
    nextUntil(until?: Selector, filter?: string): Selection;
    not(filter: Filter): Selection;
    parent(selector?: string): Selection;
    parents(selector?: string): Selection;
    parentsUntil(until?: Selector, filter?: string): Selection;
    prev(selector?: string): Selection;
    prevAll(selector?: string): Selection;
    prevUntil(until?: Selector, filter?: string): Selection;
    siblings(selector?: string): Selection;
    single(selector: string): Selection;
    slice(start: number, end?: number): Selection;
    /** Undefined without the attribute, unless there is a default. */
    attr(name: string): string | undefined;
    attr(name: string, fallback: string): string;
    /** The value of a data- attribute, or all of them by name. */
    data(): { [name: string]: unknown };
    data(name: string): unknown;
    each(visit: (index: number, element: Element) => void): Selection;
    get(index: number): Element | undefined;
    get(): Element[];
    html(): string | undefined;
    index(selector?: Selector): number;
    is(filter: Filter): boolean;
    map<T>(make: (index: number, selection: Selection) => T): T[];
    /** The controls of a form as the text of a query. */
    serialize(): string;
    serializeArray(): { name: string; value: string }[];
    serializeObject(): { [name: string]: string | string[] };
    size(): number;
    text(): string;
    toArray(): Selection[];
    val(): string | string[] | undefined;
  }

  /** An element. What browsers have as properties are methods here. */
  export interface Element {
    attributes(): { [name: string]: Attribute };
    childElementCount(): number;
    childNodes(): Element[];
    children(): Element[];
    classList(): string[];
    className(): string | undefined;
    contains(other: Element): boolean;
    firstChild(): Element | undefined;
    firstElementChild(): Element | undefined;
    getAttribute(name: string): string | undefined;
    getAttributeNode(name: string): Attribute | undefined;
    getElementsByClassName(name: string): Element[];
    getElementsByTagName(name: string): Element[];
    hasAttribute(name: string): boolean;
    hasAttributes(): boolean;
    hasChildNodes(): boolean;
    id(): string | undefined;
    innerHTML(): string | undefined;
    isEqualNode(other: Element): boolean;
    isSameNode(other: Element): boolean;
    lastChild(): Element | undefined;
    lastElementChild(): Element | undefined;
    matches(selector: string): boolean;
    nextElementSibling(): Element | undefined;
    nextSibling(): Element | undefined;
    nodeName(): string;
    nodeType(): number;
    nodeValue(): string | undefined;
    parentElement(): Element | undefined;
    parentNode(): Element | undefined;
    previousElementSibling(): Element | undefined;
    previousSibling(): Element | undefined;
    querySelector(selector: string): Element | undefined;
    querySelectorAll(selector: string): Element[];
    selection(): Selection;
    textContent(): string | undefined;
    toString(): string;
    /** What only some kinds of element have, such as href() or checked(). */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    [method: string]: (...args: any[]) => any;
  }

  export interface Attribute {
    name: string;
    value: string;
    namespaceURI(): string;
    localName(): string;
    prefix(): string;
    ownerElement(): Element | undefined;
  }

  export function parseHTML(text: string): Selection;

  const html: { parseHTML: typeof parseHTML };
  export default html;
}

declare module "jsload/html" {
  export * from "k6/html";
  export { default } from "k6/html";
}
