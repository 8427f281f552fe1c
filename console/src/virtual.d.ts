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
  /** Each icon as a list of SVG elements, so that no markup has to be inserted as text. */
  export const icons: Readonly<Record<string, readonly (readonly [string, Readonly<Record<string, string>>])[]>>;
}
