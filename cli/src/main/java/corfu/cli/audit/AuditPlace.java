package corfu.cli.audit;

import corfu.protocol.Address;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** A place in the audit log, as commands name it. */
sealed interface AuditPlace {

  /** The first record at this log address, or behind it. */
  record At(Address address) implements AuditPlace {}

  /** The events of this time and later ones, by the clocks of the servers. */
  record Since(Instant time) implements AuditPlace {}

  /**
   * Reads a log address, or a time such as {@code 2026-11-26T06:30:00Z}.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  static AuditPlace parse(String text) {
    try {
      return text.matches("\\d+")
          ? new At(new Address(Long.parseLong(text)))
          : new Since(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException | NumberFormatException wrong) {
      throw new IllegalArgumentException(
          "a log address or a time is wanted, such as 17 or 2026-11-26T06:30:00Z, but this is '%s'"
              .formatted(text),
          wrong);
    }
  }
}
