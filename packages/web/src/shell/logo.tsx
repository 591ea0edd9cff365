/** The symbol of the product: a semaphore arm in a box. */
export function Logo() {
  return (
    <span className="grid size-[22px] shrink-0 place-items-center rounded-md bg-[linear-gradient(135deg,#6f77ff,#3bb999)]">
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path
          d="M4.500 13.500v-11M4.500 3.500h6l2 1.800-2 1.800h-6"
          fill="none"
          stroke="#fff"
          strokeWidth="1.700"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </span>
  );
}
