package corfu.sim;

import java.util.Locale;

/** What can go wrong in a simulation. All of it passes; nothing that a disk has synced is lost. */
public enum Fault {
  /** A server's process is killed, and comes back later. */
  KILL_SERVER,
  /** A server's machine loses power, and what its disks had not synced. */
  POWER_LOSS,
  /** All servers lose power at the same time. */
  BLACKOUT,
  /** A server stops in good order, and comes back later. */
  STOP_SERVER,
  /** A server's process stands still for a while. */
  PAUSE_SERVER,
  /** A client is killed in the middle of whatever it does; another one takes its place. */
  KILL_CLIENT,
  /** A client's process stands still for a while. */
  PAUSE_CLIENT,
  /** Some processes and the others cannot reach each other. */
  PARTITION,
  /** Nothing gets from some processes to the others, but back. */
  ONE_WAY_PARTITION,
  /** Everything from and to one process takes much longer. */
  CLOG,
  /** Connections break; what was under way on them may arrive much later. */
  RESET,
  /** Some messages vanish. */
  LOSS,
  /** A disk takes much longer. */
  SLOW_DISK,
  /** A log unit's disk has no space left. */
  FULL_DISK,
  /** Operators replace the layout by the next one, several at the same time. */
  RENEW;

  /** As a person would write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
