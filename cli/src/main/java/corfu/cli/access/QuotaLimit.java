package corfu.cli.access;

import corfu.access.Quota;
import corfu.access.quota.QuotaTotal;
import java.util.Locale;

/** The limits of a quota, as commands name them. */
enum QuotaLimit {
  BYTES_PER_SECOND("bytesPerSecond"),
  APPENDS_PER_SECOND("appendsPerSecond"),
  STORED_STREAMS("streams"),
  STORED_BYTES("storedBytes"),
  SUBSCRIPTIONS("subscriptions"),
  CONNECTIONS("connections");

  private final String member;

  QuotaLimit(String member) {
    this.member = member;
  }

  /** Returns the name in JSON. */
  String member() {
    return member;
  }

  long of(Quota quota) {
    return switch (this) {
      case BYTES_PER_SECOND -> quota.bytesPerSecond();
      case APPENDS_PER_SECOND -> quota.appendsPerSecond();
      case STORED_STREAMS -> quota.streams();
      case STORED_BYTES -> quota.storedBytes();
      case SUBSCRIPTIONS -> quota.subscriptions();
      case CONNECTIONS -> quota.connections();
    };
  }

  boolean isSetIn(Quota quota) {
    return of(quota) != Quota.NO_LIMIT;
  }

  long usedIn(QuotaTotal total) {
    return switch (this) {
      case BYTES_PER_SECOND -> total.bytesPerSecond();
      case APPENDS_PER_SECOND -> total.appendsPerSecond();
      case STORED_STREAMS -> total.streams();
      case STORED_BYTES -> total.storedBytes();
      case SUBSCRIPTIONS -> total.subscriptions();
      case CONNECTIONS -> total.connections();
    };
  }

  /** Returns the name of the option that sets the limit, without its dashes. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
