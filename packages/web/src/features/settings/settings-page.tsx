import { BellRing } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useStore } from 'zustand';
import type { NeedKind } from '../../live/wire.ts';
import { StateIcon } from '../../ui/appearance.tsx';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/field.tsx';
import { formatNumber } from '../../ui/format-count.ts';
import { PageBody, PageHeader } from '../../ui/page.tsx';
import { type Choice, Segmented } from '../../ui/segmented.tsx';
import { choose, chooseTheme, numberLanguages, type Settings, settings } from '../../ui/settings.ts';
import { formatClock, useNow } from '../../ui/time.tsx';
import { needAppearances } from '../home/need-appearance.ts';
import { askToNotify, useNotifying } from '../home/notify-needs.ts';
import { EditorChoice } from '../runs/failure/place-link.tsx';
import { NameField } from '../shared/acting-as.tsx';
import { useMe } from '../shared/me.ts';
import type { Mode } from '../shared/mode.ts';
import { ShortcutsChoice } from './shortcuts-choice.tsx';

/** The settings of the page. None of them leaves this browser. */
export function SettingsPage({ mode }: { mode: Mode }) {
  useBreadcrumbs({ label: 'Settings' });
  return (
    <>
      <PageHeader title="Settings" description="They apply at once and are kept in this browser." />
      <PageBody>
        <div className="flex max-w-[760px] flex-col gap-3">
          <Appearance />
          <NumbersAndTimes />
          <Group title="Keyboard">
            <ShortcutsChoice />
          </Group>
          {mode === 'whole' && <Notifications />}
          <Group title="You">
            {mode === 'whole' && <You />}
            <EditorChoice />
          </Group>
        </div>
      </PageBody>
    </>
  );
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className="panel flex flex-col gap-3.5 px-4 py-3.5">
      <h2 id={id} className="font-semibold text-heading">
        {title}
      </h2>
      {children}
    </section>
  );
};

type RowProps<Value extends string> = {
  label: string;
  hint?: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
};

function Row<Value extends string>({ label, hint, ...choice }: RowProps<Value>) {
  return (
    <div className="grid grid-cols-[140px_1fr] items-center gap-x-4 gap-y-1 max-sm:grid-cols-1">
      <span className="font-medium text-fg-2 text-sm" aria-hidden>
        {label}
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Segmented label={label} {...choice} />
        {hint && <span className="text-fg-3 text-xs">{hint}</span>}
      </span>
    </div>
  );
}

function Appearance() {
  const { themeChoice, density, motion } = useStore(settings);
  return (
    <Group title="Appearance">
      <Row
        label="Theme"
        value={themeChoice}
        onChange={chooseTheme}
        choices={[
          { value: 'system', label: 'System' },
          { value: 'dark', label: 'Dark' },
          { value: 'light', label: 'Light' },
        ]}
      />
      <Row
        label="Density"
        hint="The height of rows in tables"
        value={density}
        onChange={(chosen) => choose({ density: chosen })}
        choices={[
          { value: 'usual', label: 'Usual' },
          { value: 'dense', label: 'Dense' },
        ]}
      />
      <Row
        label="Motion"
        hint="Pulsing dots, fading dialogs"
        value={motion}
        onChange={(chosen) => choose({ motion: chosen })}
        choices={[
          { value: 'system', label: 'System' },
          { value: 'less', label: 'None' },
        ]}
      />
    </Group>
  );
}

const languageNames: Record<Settings['numbers'], string> = {
  en: 'English',
  browser: 'This browser',
  de: 'German',
  fr: 'French',
  'de-CH': 'Swiss',
  'en-IN': 'Indian',
};

function NumbersAndTimes() {
  const { clock, numbers } = useStore(settings);
  const now = useNow();
  return (
    <Group title="Numbers and times">
      <Row
        label="Clock"
        hint={`Now ${formatClock(now, 'seconds')}`}
        value={clock}
        onChange={(chosen) => choose({ clock: chosen })}
        choices={[
          { value: '24', label: '24 hours' },
          { value: '12', label: '12 hours' },
        ]}
      />
      <Row
        label="Language of numbers"
        hint={formatNumber(1_234_567.8, 1)}
        value={numbers}
        onChange={(chosen) => choose({ numbers: chosen })}
        choices={numberLanguages.map((value) => ({ value, label: languageNames[value] }))}
      />
    </Group>
  );
}

function Notifications() {
  const notifying = useNotifying();
  const { notify } = useStore(settings);
  const toggle = (kind: NeedKind, on: boolean) =>
    choose({ notify: on ? [...notify, kind] : notify.filter((one) => one !== kind) });
  return (
    <Group title="Desktop notifications">
      {notifying === 'granted' ? (
        <p className="text-fg-3">While a tab of this page is open, a new need of these kinds raises a notification.</p>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          {notifying === 'default' && (
            <Button icon={BellRing} onClick={() => void askToNotify()}>
              Allow notifications
            </Button>
          )}
          <p className="text-fg-3">{notAllowed[notifying]}</p>
        </div>
      )}
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 max-sm:grid-cols-1">
        {(Object.keys(needAppearances) as NeedKind[]).map((kind) => (
          <li key={kind}>
            <CheckBox checked={notify.includes(kind)} onChange={(on) => toggle(kind, on)}>
              <span className="flex items-center gap-1.5">
                <span aria-hidden>
                  <StateIcon appearance={needAppearances[kind].appearance} size={14} />
                </span>
                {needAppearances[kind].group}
              </span>
            </CheckBox>
          </li>
        ))}
      </ul>
    </Group>
  );
}

const notAllowed = {
  default: 'The browser asks you once for its permission.',
  denied: 'This browser does not allow notifications of this page. Allow them in the settings of the site.',
  unsupported: 'This browser has no notifications for a page at this address.',
};

function You() {
  const me = useMe();
  if (me?.name)
    return (
      <p className="text-fg-2">
        You act as <b className="font-semibold text-fg">{me.name}</b>, the name of your token.
      </p>
    );
  return (
    <div className="max-w-[360px]">
      <NameField />
    </div>
  );
}
