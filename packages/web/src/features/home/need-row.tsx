import { CircleHelp, Folder, Server } from 'lucide-react';
import { Link } from 'wouter';
import type { Need } from '../../live/wire.ts';
import { StateIcon } from '../../ui/appearance.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import { Chip } from '../../ui/page.tsx';
import { TimeAgo, withLocalTimes } from '../../ui/time.tsx';
import { AcceptHistory } from './accept-history.tsx';
import { needAppearances } from './need-appearance.ts';
import { needLink } from './need-links.ts';

const folderOf = (path: string): string => path.split(/[\\/]/).filter(Boolean).pop() ?? path;

/** One need: what, who, since when, and its one action. */
export function NeedRow({ need, host }: { need: Need; host: boolean }) {
  const { appearance } = needAppearances[need.kind];
  const { href, label } = needLink(need);
  const resume = need.kind === 'claim_orphaned' ? need.command : null;
  return (
    <li
      className={`tone-${appearance.tone} flex items-center gap-3 border-line border-t px-4 py-2.5 focus-within:bg-hover hover:bg-hover max-md:flex-wrap`}
    >
      <StateIcon appearance={appearance} size={17} />
      <div className="min-w-0 flex-1 max-md:basis-[calc(100%-32px)]">
        <Link data-row dir="auto" href={href} className="block truncate rounded font-semibold hover:underline">
          {need.title}
        </Link>
        <p className="break-words text-fg-2">{withLocalTimes(need.detail)}</p>
      </div>
      <span className="flex shrink-0 items-center gap-2 max-md:ml-[29px] max-md:shrink max-md:flex-wrap max-md:gap-y-1">
        {need.agent && (
          <Chip {...(need.possibly ? { icon: CircleHelp, title: 'The link to this session is inferred' } : {})}>
            {need.possibly ? `possibly ${need.agent}` : need.agent}
          </Chip>
        )}
        {need.kind === 'agent_waiting' && need.root && (
          <Chip icon={Folder} title={need.root}>
            {folderOf(need.root)}
          </Chip>
        )}
        {need.tool && <Chip>{need.tool}</Chip>}
        {host && need.host && <Chip icon={Server}>{need.host}</Chip>}
        <span className="w-[62px] text-right font-mono text-code text-fg-3 max-md:w-auto">
          {need.since && <TimeAgo at={need.since} />}
        </span>
      </span>
      <span className="flex w-[186px] shrink-0 justify-end max-md:w-full max-md:pl-[29px] max-md:*:flex-1 max-md:*:justify-center">
        {need.kind === 'history_replaced' ? (
          <AcceptHistory detail={need.detail} />
        ) : resume ? (
          <CopyTextButton text={resume}>Copy resume command</CopyTextButton>
        ) : (
          <ButtonLink href={href}>{label}</ButtonLink>
        )}
      </span>
    </li>
  );
}
