/** Cuts a long path in the middle, because its end names the file. */
export function MiddleCut({ text }: { text: string }) {
  const slash = text.lastIndexOf('/');
  const [start, end] = slash < 0 ? ['', text] : [text.slice(0, slash), text.slice(slash)];
  return (
    <span className="flex min-w-0" title={text}>
      {start !== '' && <span className="min-w-0 truncate">{start}</span>}
      <span className={start === '' ? 'truncate' : 'shrink-0 whitespace-nowrap'}>{end}</span>
    </span>
  );
}
