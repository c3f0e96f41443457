// The work is done in other files; only the composition is here.
import { group } from 'k6';
import { Session } from './lib/session.js';
import { journeys } from './lib/journeys.js';
import config from './lib/config.js';

export const options = config.options;

export default function () {
    const session = Session(config.base);
    for (const [name, run] of Object.entries(journeys)) {
        group(name, () => run(session));
    }
}
