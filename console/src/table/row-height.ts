import { useStoredAttribute } from '../client/stored-attribute.ts';

const pixels = { small: 28, large: 36 } as const;
type RowSize = keyof typeof pixels;

const isRowSize = (value: unknown): value is RowSize => value === 'small' || value === 'large';

/** Returns the row height of all lists that the user has selected. */
export function useRowHeight() {
  const { kept: storedSize, choose } = useStoredAttribute('row-size', isRowSize);
  const size = storedSize ?? 'small';
  return {
    height: pixels[size],
    isLarge: size === 'large',
    chooseLarge: (isLarge: boolean) => choose(isLarge ? 'large' : null),
  };
}
