package corfu.store.http.access;

import corfu.access.AccessPolicy;
import corfu.access.Rights;
import corfu.access.Subject;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.runtime.access.PolicyWatch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Decides what clients of a store may do. {@code read} and {@code append} are permissions on the
 * name {@code corfu.store/NAME}. Thread-safe.
 */
final class StorePermissions implements AutoCloseable {

  private static final String PREFIX = "corfu.store/";

  /** The largest age of the policy of a decision: a revoked permission ends within it. */
  private static final Duration MAX_AGE = Duration.ofSeconds(1);

  /** The longest time in which a request waits for a policy of that age. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** The largest number of identities whose rights are remembered. */
  private static final int MOST_IDENTITIES = 10_000;

  private final StoreSecurity security;
  private final Optional<PolicyWatch> watch;
  private final String name;
  private volatile Remembered remembered = new Remembered(0, new ConcurrentHashMap<>());

  /** The rights of the identities that have used the policy of a version. */
  private record Remembered(long version, ConcurrentMap<Identity, Rights> rights) {}

  /**
   * @param store the store's name
   * @param watch the policy, unless every identity may do everything
   */
  StorePermissions(StoreSecurity security, String store, Optional<PolicyWatch> watch) {
    this.security = security;
    this.watch = watch;
    this.name = PREFIX + store;
  }

  /** Decides on a request that needs a permission. */
  AccessVerdict decide(Identity identity, Permission permission) {
    boolean isAdministrator =
        security.administrators().stream().anyMatch(subject -> isOneOf(subject, identity));
    if (isAdministrator) {
      return new AccessVerdict.Allowed();
    }
    if (watch.isEmpty()) {
      return identity.equals(Identity.ANONYMOUS)
          ? new AccessVerdict.Denied("a certificate or a token is needed")
          : new AccessVerdict.Allowed();
    }
    return watch
        .get()
        .policy(MAX_AGE, PATIENCE)
        .map(policy -> decide(policy, identity, permission))
        .orElse(
            new AccessVerdict.Undecided(
                "the permissions cannot be read from the log at present; nothing happened"));
  }

  private static boolean isOneOf(Subject subject, Identity identity) {
    return !identity.equals(Identity.ANONYMOUS) && subject.matches(identity);
  }

  private AccessVerdict decide(AccessPolicy policy, Identity identity, Permission permission) {
    Rights rights = rights(policy, identity);
    if (!permission.isForStreams()) {
      return rights.has(permission)
          ? new AccessVerdict.Allowed()
          : new AccessVerdict.Denied(AccessPolicy.lack(identity, permission));
    }
    int bits = rights.on(StreamId.named(name), stream -> Optional.of(name));
    return (bits & Rights.bit(permission)) != 0
        ? new AccessVerdict.Allowed()
        : new AccessVerdict.Denied(AccessPolicy.lack(identity, permission, name));
  }

  private Rights rights(AccessPolicy policy, Identity identity) {
    Remembered known = remembered;
    if (known.version != policy.version() || known.rights.size() >= MOST_IDENTITIES) {
      known = new Remembered(policy.version(), new ConcurrentHashMap<>());
      remembered = known;
    }
    return known.rights.computeIfAbsent(identity, policy::rightsOf);
  }

  @Override
  public void close() {
    watch.ifPresent(PolicyWatch::close);
  }
}
