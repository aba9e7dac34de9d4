// The types of the service's data, documented in docs/wire and dray-formats(7). Only the parts that the page reads are
// here.

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
 * @property {?string} [title]
 * @property {number} received
 * @property {?number} size
 * @property {number} priority
 * @property {number} addedAt        Seconds since 1970, like all times.
 * @property {?number} finishedAt
 * @property {?number} notBefore
 * @property {?{origin: string, until: number, job: ?number, status: ?number}} hold  The server's demand to wait. It may have expired.
 * @property {?number} startAt
 * @property {?string} between       The times at which it is transferred; null for all.
 * @property {number[]} after
 * @property {number} attempts
 * @property {?string} digest
 * @property {?string} digestSource
 * @property {?string} note
 * @property {?string} queue          The named queue.
 * @property {?{id: number, name: string}} group
 * @property {?Failure} error
 * @property {?{for: string}} waits  Why it waits, if it does not just wait for its turn.
 *
 * @typedef {object} Progress  The progress of an active job.
 * @property {number} id
 * @property {number} received
 * @property {?number} size
 * @property {number} rate           Bytes per second.
 * @property {number} connections
 * @property {string} phase
 *
 * @typedef {object} Parts  The bytes of a file on disk, and the active connections.
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
 * @property {string[]} schemes        Those that URLs may have.
 * @property {{name: string, value: string}[]} settings  What new jobs get.
 *
 * @typedef {object} NamedQueue
 * @property {string} name
 * @property {"open"|"paused"|"spent"|"closed"} state
 * @property {?number} opensAt       When a spent or closed queue opens.
 * @property {?number} jobs          Jobs at once; null for no limit.
 * @property {?string} rate
 * @property {?string} between       Its times; null for all.
 * @property {?string} directory
 * @property {?{bytes: number, period: string, used: number}} quota
 * @property {Object<State, number>} counts
 *
 * @typedef {object} TimetableEntry
 * @property {string} from           `08:00`
 * @property {string} to             `18:00`; a time before `from` is on the next day.
 * @property {string} days           `mon-fri`, `sat,sun`
 * @property {?string} rate          `500k`; null for no limit.
 *
 * @typedef {object} Limits
 * @property {?string} overallRate
 * @property {TimetableEntry[]} timetable
 * @property {"auto"|number} jobs
 * @property {?string} between       `off` for all times; null for those that each runner was started with.
 * @property {?string} slow          The rate of the slow switch.
 * @property {boolean} isSlow
 * @property {?number} now           Bytes per second at present; null for no limit.
 *
 * @typedef {object} Subscription
 * @property {number} id
 * @property {string} url
 * @property {?string} match
 * @property {?string} directory
 * @property {number} hours
 * @property {number} added
 * @property {?number} checkedAt
 * @property {?string} problem
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
