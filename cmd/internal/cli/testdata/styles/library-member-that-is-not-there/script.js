import * as utils from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';

const path = `/items/${utils.randomItem(['a', 'b'])}/${utils.urlencode('x y')}`;

export default function () { console.log(path); }
