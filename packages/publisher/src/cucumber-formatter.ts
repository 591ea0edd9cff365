import { followCucumber } from './cucumber.ts';

/** For Cucumber 11, which has no plugins: `format: ['"signalbox-publisher/cucumber-formatter":"/dev/null"']`. It writes nothing. */
const signalboxFormatter = { type: 'formatter' as const, formatter: followCucumber };
export default signalboxFormatter;
