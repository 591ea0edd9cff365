import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';

type Kind = 'plain' | 'primary' | 'ghost' | 'on' | 'danger';

const kindClasses: Record<Kind, string> = {
  plain: 'border-line-strong bg-raised text-fg hover:bg-hover',
  primary: 'border-primary-line bg-primary text-white hover:brightness-110',
  ghost: 'border-transparent bg-transparent text-fg-2 hover:bg-hover hover:text-fg',
  on: 'border-accent bg-accent-soft text-fg',
  danger: 'tone-fail border-line-strong bg-raised text-tone-text hover:bg-hover',
};
const baseClasses =
  'inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-md border px-2.5 font-medium text-control transition-colors disabled:opacity-50 disabled:hover:bg-raised';

type ButtonAppearance = { kind?: Kind; icon?: LucideIcon; children?: ReactNode };

export function Button({
  kind = 'plain',
  icon: Icon,
  children,
  className = '',
  ...rest
}: ButtonAppearance & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" className={`${baseClasses} ${kindClasses[kind]} ${className}`} {...rest}>
      {Icon && <Icon size={14} aria-hidden />}
      {children}
    </button>
  );
}

export function ButtonLink({ kind = 'plain', icon: Icon, children, href }: ButtonAppearance & { href: string }) {
  return (
    <Link href={href} className={`${baseClasses} ${kindClasses[kind]}`}>
      {Icon && <Icon size={14} aria-hidden />}
      {children}
    </Link>
  );
}

/** A link to a page outside of this one. */
export function ExternalButton({ kind = 'plain', icon: Icon, children, href }: ButtonAppearance & { href: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={`${baseClasses} ${kindClasses[kind]}`}>
      {Icon && <Icon size={14} aria-hidden />}
      {children}
    </a>
  );
}

export function IconButton({
  icon: Icon,
  label,
  ...rest
}: { icon: LucideIcon; label: string } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="grid size-7 shrink-0 place-items-center rounded-md text-fg-3 transition-colors hover:bg-hover hover:text-fg disabled:opacity-50 disabled:hover:bg-transparent"
      {...rest}
    >
      <Icon size={15} aria-hidden />
    </button>
  );
}
