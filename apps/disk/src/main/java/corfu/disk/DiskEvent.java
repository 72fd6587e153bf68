package corfu.disk;

/**
 * An event in the life of a disk. Immutable.
 *
 * @param timeMillis the time of the event by the clock of the process that caused it, in
 *     milliseconds since 1970
 * @param kind the kind
 * @param version the first version that includes the event
 * @param by the process that caused it
 * @param detail more about the event, for people; may be empty
 */
public record DiskEvent(long timeMillis, Kind kind, long version, String by, String detail) {

  /** The kinds of events. */
  public enum Kind {
    CREATED,
    CLONED,
    RESIZED,
    SNAPSHOT_TAKEN,
    SNAPSHOT_DELETED,
    ROLLED_BACK,
    OPENED,
    TAKEN_OVER,
    RELEASED,
    RECLAIMED
  }
}
