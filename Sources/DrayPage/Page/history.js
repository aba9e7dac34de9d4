// The rate of a job over the last minutes, with one sample per second.

/** The seconds to keep. */
export const span = 300;

/** The samples of a rate. */
export class RateHistory {
  /** @type {{time: number, rate: number}[]} */
  samples = [];

  /** @param {number} time  Seconds since 1970. @param {number} rate */
  add(time, rate) {
    const last = this.samples[this.samples.length - 1];
    if (last && time - last.time < 0.9) return;
    this.samples.push({ time, rate });
    while (this.samples[0].time < time - span) this.samples.shift();
  }
}
