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
  'inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-md border px-2.5 font-medium text-control transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-50 aria-disabled:hover:bg-raised';

/** A button that cannot be used now stays in the Tab order, so that a busy button does not lose the focus. */
export function unlessDisabled({
  disabled,
  onClick,
}: Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'onClick'>): ButtonHTMLAttributes<HTMLButtonElement> {
  if (!disabled) return { onClick };
  return { 'aria-disabled': true, onClick: (event) => event.preventDefault() };
}

type ButtonAppearance = { kind?: Kind; icon?: LucideIcon; children?: ReactNode };

export function Button({
  kind = 'plain',
  icon: Icon,
  children,
  className = '',
  disabled,
  onClick,
  ...rest
}: ButtonAppearance & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      className={`${baseClasses} ${kindClasses[kind]} ${className}`}
      {...rest}
      {...unlessDisabled({ disabled, onClick })}
    >
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
  disabled,
  onClick,
  ...rest
}: { icon: LucideIcon; label: string } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="grid size-7 shrink-0 place-items-center rounded-md text-fg-3 transition-colors hover:bg-hover hover:text-fg aria-disabled:cursor-not-allowed aria-disabled:opacity-50 aria-disabled:hover:bg-transparent"
      {...rest}
      {...unlessDisabled({ disabled, onClick })}
    >
      <Icon size={15} aria-hidden />
    </button>
  );
}
