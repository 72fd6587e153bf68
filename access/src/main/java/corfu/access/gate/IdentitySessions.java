package corfu.access.gate;

import corfu.access.AccessPolicy;
import corfu.access.Rights;
import corfu.access.quota.QuotaLedger;
import corfu.protocol.Identity;
import corfu.protocol.StreamId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The identities that have sent requests lately. Lives on the server's loop. */
final class IdentitySessions {

  private static final float LOAD = 0.75f;

  private final TrustedIdentities trusted;
  private final GateOptions options;
  private final QuotaLedger quotas;
  private final LongSupplier salts;

  /** The least recently used one first. */
  private final Map<Identity, IdentitySession> sessions = new LinkedHashMap<>(16, LOAD, true);

  private Optional<AccessPolicy> policy = Optional.empty();
  private long generation;
  private long nameBytes;
  private IdentitySession last;

  /**
   * @param trusted the identities of the configuration
   * @param options the bounds
   * @param quotas the quotas of the same policy
   * @param salts returns secret numbers
   */
  IdentitySessions(
      TrustedIdentities trusted, GateOptions options, QuotaLedger quotas, LongSupplier salts) {
    this.trusted = trusted;
    this.options = options;
    this.quotas = quotas;
    this.salts = salts;
    this.last = create(Identity.ANONYMOUS);
    sessions.put(last.identity(), last);
  }

  private IdentitySession create(Identity identity) {
    return new IdentitySession(identity, trusted.isServer(identity), salts.getAsLong());
  }

  /** Uses this policy from now on, or none. */
  void use(Optional<AccessPolicy> newest) {
    policy = newest;
    generation++;
  }

  /** Returns the session of an identity, with its rights by the present policy. */
  @SuppressWarnings("ReferenceEquality") // a connection keeps its identity
  IdentitySession of(Identity identity) {
    IdentitySession session = last;
    if (session.identity() != identity) {
      IdentitySession unused = sessions.get(session.identity()); // it was used until now
      session = find(identity);
      last = session;
    }
    if (session.generation() != generation) {
      session.isNow(rights(identity), quotas.accountOf(identity), generation);
    }
    return session;
  }

  private Rights rights(Identity identity) {
    return trusted.contains(identity)
        ? Rights.FULL
        : policy.map(known -> known.rightsOf(identity)).orElse(Rights.NONE);
  }

  private IdentitySession find(Identity identity) {
    IdentitySession known = sessions.get(identity);
    if (known != null) {
      return known;
    }
    if (sessions.size() >= options.mostIdentities()) {
      Iterator<IdentitySession> oldest = sessions.values().iterator();
      nameBytes -= oldest.next().nameBytes();
      oldest.remove();
    }
    IdentitySession created = create(identity);
    sessions.put(identity, created);
    return created;
  }

  /** Remembers the names that an identity introduces. */
  void introduce(IdentitySession session, List<String> names) {
    nameBytes += session.introduce(names);
    Iterator<IdentitySession> oldest = sessions.values().iterator();
    while (nameBytes > options.mostNameBytes() && oldest.hasNext()) {
      nameBytes -= oldest.next().forgetNames();
    }
  }

  /** Returns the name of a stream that an identity has introduced, or empty. */
  Optional<String> nameFor(Identity identity, StreamId stream) {
    return Optional.ofNullable(sessions.get(identity)).flatMap(session -> session.name(stream));
  }

  /** Returns the number of remembered identities. */
  int count() {
    return sessions.size();
  }
}
