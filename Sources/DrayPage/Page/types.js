// The shapes of what the service says. They are documented in docs/wire and dray-formats(7); here are the parts that the page reads.

/**
 * @typedef {"queued"|"active"|"complete"|"failed"|"interrupted"|"paused"} State
 *
 * @typedef {object} Failure
 * @property {string} code
 * @property {string} message
 * @property {?number} httpStatus
 *
 * @typedef {object} Job  A line of `dray list --json`.
 * @property {number} id
 * @property {string} url
 * @property {?string} finalURL
 * @property {State} state
 * @property {?string} target
 * @property {number} received
 * @property {?number} size
 * @property {number} priority
 * @property {number} addedAt        Seconds since 1970, as all times.
 * @property {?number} finishedAt
 * @property {?number} notBefore
 * @property {?{origin: string, until: number, job: ?number, status: ?number}} hold  The time that its server asked to wait; it may be over.
 * @property {?number} startAt
 * @property {number[]} after
 * @property {number} attempts
 * @property {?string} digest
 * @property {?string} digestSource
 * @property {?string} note
 * @property {?{id: number, name: string}} group
 * @property {?Failure} error
 *
 * @typedef {object} Progress  How far an active job is.
 * @property {number} id
 * @property {number} received
 * @property {?number} size
 * @property {number} rate           Bytes a second.
 * @property {number} connections
 * @property {string} phase
 *
 * @typedef {object} Parts  Which bytes of a file are there, and who fetches which.
 * @property {?number} size
 * @property {[number, number][]} done
 * @property {{range: [number, number], source: ?string}[]} fetching
 *
 * @typedef {object} Service
 * @property {string} version
 * @property {number} started
 * @property {string[]} roots
 * @property {string} directory
 * @property {boolean} secretNeeded
 * @property {boolean} readOnly
 *
 * @typedef {object} TimetableEntry
 * @property {string} from           `08:00`
 * @property {string} to             `18:00`; before `from` it is the next day's.
 * @property {string} days           `mon-fri`, `sat,sun`
 * @property {?string} rate          `500k`; null for no limit.
 *
 * @typedef {object} Limits
 * @property {?string} overallRate
 * @property {TimetableEntry[]} timetable
 * @property {"auto"|number} jobs
 *
 * @typedef {object} FeedEntry
 * @property {string} guid
 * @property {string} title
 * @property {string} url
 * @property {?number} published
 * @property {?number} length
 * @property {boolean} known
 */

export {};
