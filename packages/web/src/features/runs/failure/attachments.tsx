import { Download, FileText } from 'lucide-react';
import { useState } from 'react';
import { fileAddress } from '../../../live/call.ts';
import type { ScenarioView } from '../../../live/wire.ts';
import { Command } from '../../../ui/copy-button.tsx';
import { Section } from '../../../ui/facts.tsx';
import { formatBytes } from '../../../ui/format-count.ts';
import { type Attachment, arrangeAttachments, type Comparison, isTrace } from './arrange-attachments.ts';

type Props = { runId: string; attachments: ScenarioView['attachments']; attempt: number };

/** Files that the attempt left behind: pictures and videos are shown, all others can be downloaded. */
export function Attachments({ runId, attachments, attempt }: Props) {
  const own = attachments.filter((one) => one.attempt === attempt);
  if (own.length === 0) return null;
  const { comparisons, pictures, films, texts, files } = arrangeAttachments(own);
  const address = ({ sha256 }: Attachment) => fileAddress(runId, sha256);
  return (
    <Section title="Attachments">
      {comparisons.map((one) => (
        <Slider key={one.name} comparison={one} address={address} />
      ))}
      {pictures.map((one) => (
        <Picture key={one.sha256} file={one} address={address(one)} />
      ))}
      {films.map((one) => (
        // biome-ignore lint/a11y/useMediaCaption: a film of a test has no words
        <video key={one.sha256} src={address(one)} controls aria-label={one.name} className="max-w-full rounded-md" />
      ))}
      {texts.map((one) => (
        <File key={`${one.name} ${one.sha256}`} file={one} address={address(one)} icon="text" />
      ))}
      {files.map((one) => (
        <File key={`${one.name} ${one.sha256}`} file={one} address={address(one)} icon="file" />
      ))}
    </Section>
  );
}

function Picture({ file, address }: { file: Attachment; address: string }) {
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <a href={address} target="_blank" rel="noreferrer">
        <img src={address} alt={file.name} loading="lazy" className="max-h-[420px] w-full bg-bg object-contain" />
      </a>
      <figcaption className="border-line border-t bg-raised px-3 py-1 text-fg-3 text-xs">{file.name}</figcaption>
    </figure>
  );
}

/** Two pictures over each other; the slider moves the edge between expected and actual. */
function Slider({ comparison, address }: { comparison: Comparison; address: (file: Attachment) => string }) {
  const [share, setShare] = useState(50);
  const [shown, setShown] = useState<'both' | 'difference'>('both');
  const { name, expected, actual, difference } = comparison;
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <div className="relative bg-bg">
        {shown === 'difference' && difference ? (
          <img src={address(difference)} alt={`${name}, difference`} className="block w-full" />
        ) : (
          <>
            <img src={address(expected)} alt={`${name}, expected`} className="block w-full" />
            <img
              src={address(actual)}
              alt={`${name}, actual`}
              className="absolute inset-0 block w-full"
              style={{ clipPath: `inset(0 0 0 ${share}%)` }}
            />
            <i className="absolute inset-y-0 block w-px bg-accent" style={{ left: `${share}%` }} aria-hidden />
          </>
        )}
      </div>
      <figcaption className="flex items-center gap-3 border-line border-t bg-raised px-3 py-1 text-fg-2 text-xs">
        <span>expected</span>
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          aria-label={`${name}: expected to actual`}
          onChange={(event) => setShare(Number(event.target.value))}
          className="h-6 min-w-0 flex-1"
        />
        <span>actual</span>
        {difference && (
          <button
            type="button"
            aria-pressed={shown === 'difference'}
            onClick={() => setShown(shown === 'both' ? 'difference' : 'both')}
            className="min-h-6 rounded border border-line-strong px-1.5 aria-pressed:bg-accent-soft"
          >
            difference
          </button>
        )}
      </figcaption>
    </figure>
  );
}

function File({ file, address, icon }: { file: Attachment; address: string; icon: 'text' | 'file' }) {
  const Icon = icon === 'text' ? FileText : Download;
  return (
    <div className="flex flex-col gap-1.5">
      {file.stored ? (
        <a
          href={address}
          {...(icon === 'text' ? { target: '_blank', rel: 'noreferrer' } : { download: file.name })}
          className="flex min-h-7 w-fit max-w-full items-center gap-2 rounded-md border border-line-strong px-2.5 hover:bg-hover"
        >
          <Icon size={14} aria-hidden className="shrink-0" />
          <span className="truncate">{file.name}</span>
          <span className="shrink-0 text-fg-3 text-xs">{formatBytes(file.size)}</span>
        </a>
      ) : (
        <p className="text-fg-3">
          {file.name}, {formatBytes(file.size)}: not kept, {file.reason ?? 'its content was not sent'}
        </p>
      )}
      {file.stored && isTrace(file) && <Command text={`npx playwright show-trace ${file.name}.zip`} />}
    </div>
  );
}
