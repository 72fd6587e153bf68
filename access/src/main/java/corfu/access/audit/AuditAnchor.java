package corfu.access.audit;

/**
 * A record of the audit log, which proves all records before it. Keep the newest one elsewhere.
 *
 * @param address the log address of the record, 0 or more
 * @param hash the record's hash
 */
public record AuditAnchor(long address, RecordHash hash) {

  public AuditAnchor {
    if (address < 0) {
      throw new IllegalArgumentException("a log address is 0 or more, but not " + address);
    }
  }

  /**
   * Reads the text that {@link #toString} writes.
   *
   * @throws IllegalArgumentException if the text is not ADDRESS:HASH
   */
  public static AuditAnchor parse(String text) {
    int colon = text.indexOf(':');
    try {
      return new AuditAnchor(
          Long.parseLong(text.substring(0, Math.max(0, colon))),
          new RecordHash(text.substring(colon + 1)));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "a record of the audit log is named by ADDRESS:HASH, as corfu audit verify prints it, but"
              + " not by '%s'".formatted(text),
          wrong);
    }
  }

  @Override
  public String toString() {
    return address + ":" + hash;
  }
}
