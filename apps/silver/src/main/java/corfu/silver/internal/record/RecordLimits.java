package corfu.silver.internal.record;

/** The bounds of the fields of records. A reader refuses what exceeds them. */
public final class RecordLimits {

  /** The most bytes of a name of a file or of an extended attribute; the least is 1. */
  public static final int MAX_NAME_BYTES = 255;

  private RecordLimits() {}
}
