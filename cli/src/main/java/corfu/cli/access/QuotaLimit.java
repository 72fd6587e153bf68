package corfu.cli.access;

import corfu.access.Quota;
import corfu.access.quota.QuotaTotal;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** The limits of a quota, as commands name them. */
enum QuotaLimit {
  BYTES_PER_SECOND("bytesPerSecond", Quota::bytesPerSecond, QuotaTotal::bytesPerSecond),
  APPENDS_PER_SECOND("appendsPerSecond", Quota::appendsPerSecond, QuotaTotal::appendsPerSecond),
  STREAMS("streams", Quota::streams, QuotaTotal::streams),
  STORED_BYTES("storedBytes", Quota::storedBytes, QuotaTotal::storedBytes),
  SUBSCRIPTIONS("subscriptions", Quota::subscriptions, QuotaTotal::subscriptions),
  CONNECTIONS("connections", Quota::connections, QuotaTotal::connections);

  private final String member;
  private final ToLongFunction<Quota> limit;
  private final ToLongFunction<QuotaTotal> use;

  QuotaLimit(String member, ToLongFunction<Quota> limit, ToLongFunction<QuotaTotal> use) {
    this.member = member;
    this.limit = limit;
    this.use = use;
  }

  /** Returns the name in JSON. */
  String member() {
    return member;
  }

  long of(Quota quota) {
    return limit.applyAsLong(quota);
  }

  boolean isSetIn(Quota quota) {
    return of(quota) != Quota.NO_LIMIT;
  }

  long usedIn(QuotaTotal total) {
    return use.applyAsLong(total);
  }

  /** Returns the name of the option that sets the limit, without its dashes. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
