import {
  type ComponentProps,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

const inputClasses =
  'w-full rounded-md border border-edge bg-bg px-2.5 text-fg text-body placeholder:text-fg-3 aria-[invalid=true]:border-[var(--fail)]';

type FieldProps = { label: string; hint?: ReactNode; fault?: string | undefined };

function Field({ id, label, hint, fault, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium text-fg-2 text-sm">
        {label}
      </label>
      {children}
      {fault ? (
        <p id={`${id}-fault`} className="tone-fail text-sm text-tone-text">
          {fault}
        </p>
      ) : (
        hint && <p className="text-fg-3 text-xs">{hint}</p>
      )}
    </div>
  );
}

const invalidAttributes = (id: string, fault: string | undefined) =>
  fault ? { 'aria-invalid': true, 'aria-describedby': `${id}-fault` } : {};

export function TextField({ label, hint, fault, ...rest }: FieldProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <input
        id={id}
        autoComplete="off"
        spellCheck={false}
        className={`${inputClasses} h-8`}
        {...invalidAttributes(id, fault)}
        {...rest}
      />
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  fault,
  className = '',
  ...rest
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <textarea
        id={id}
        className={`${inputClasses} py-1.5 leading-5 ${className}`}
        {...invalidAttributes(id, fault)}
        {...rest}
      />
    </Field>
  );
}

export function Select({
  label,
  hint,
  fault,
  children,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <select id={id} className={`${inputClasses} h-8`} {...invalidAttributes(id, fault)} {...rest}>
        {children}
      </select>
    </Field>
  );
}

export function CheckBox({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label className="flex min-h-6 items-center gap-2">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 shrink-0 accent-(--accent)"
      />
      <span>{children}</span>
    </label>
  );
}
