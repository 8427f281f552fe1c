declare module 'virtual:groups' {
  export const groups: import('./document/group.ts').GroupEntry[];
}

declare module 'virtual:shell-operations' {
  export const operations: Readonly<
    Record<
      typeof import('../build/shell-operations.ts')['shellOperations'][number],
      import('@portreeve/sdk/runtime.ts').OperationInfo
    >
  >;
}

declare module 'virtual:own-account' {
  export const group: import('./document/group.ts').GroupInfo;
}

declare module 'virtual:icons' {
  /** Each icon as the elements of its drawing: a text of markup could not be put into the page. */
  export const icons: Readonly<Record<string, readonly (readonly [string, Readonly<Record<string, string>>])[]>>;
}
