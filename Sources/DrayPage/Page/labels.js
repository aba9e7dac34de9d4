// The service names fields as its API does. Messages on the page use the words of their labels.

/** @type {Object<string, string>} */
const labels = {
  overallRate: "Rate of all jobs together", slow: "Rate of the slow switch", jobs: "Jobs at once", between: "Times", limitRate: "Limit",
  checksum: "Checksum", output: "Name", directory: "Folder", priority: "Priority", queue: "Queue", group: "Group", headers: "Headers", user: "User",
  password: "Password", connections: "Connections", quota: "Quota", rate: "Rate", match: "Only entries that match", hours: "Hours", from: "Start",
  to: "End", days: "Days", text: "Links", url: "Link",
};

/** Replaces the name of a field that a message is about by its label. @param {string} message */
export function labelled(message) {
  return message
    .replace(/^timetable\[(\d+)\]\.(\w+)/, (_, index, name) => `${labels[name] ?? name} of time ${Number(index) + 1}`)
    .replace(/(^|: )([a-z][A-Za-z]*)(?=:| is | must | has )/, (whole, start, name) => (Object.hasOwn(labels, name) ? start + labels[name] : whole));
}
