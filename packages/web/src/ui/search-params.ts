import { useSearchParams } from 'wouter';

/** One word of the address; what a person looks at can always be linked to. */
export function useParam(name: string): [string | null, (value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const put = (value: string | null) =>
    setParams(
      () => {
        // Of the address as it is now: two words may be put one after the other before the page is drawn again.
        const next = new URLSearchParams(location.search);
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [params.get(name), put];
}
