import { useSearchParams } from 'wouter';

let currentSearch = (): string => location.search;

/** Search parameters of a page whose address is not the browser's. */
export function readSearchFrom(read: () => string): void {
  currentSearch = read;
}

/** One search parameter of the address, so that every view can be linked. */
export function useSearchParam(name: string): [string | null, (value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const put = (value: string | null) =>
    setParams(
      () => {
        // Starts from the current address: two parameters may be set before the next render.
        const next = new URLSearchParams(currentSearch());
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [params.get(name), put];
}
