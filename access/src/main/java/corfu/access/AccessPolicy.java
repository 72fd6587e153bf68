package corfu.access;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All grants, roles and quotas of a cluster, as of one address of the log. Everything else is
 * forbidden. Immutable and thread-safe.
 */
public final class AccessPolicy {

  /** The policy before its first change: it allows nothing. */
  public static final AccessPolicy EMPTY = new AccessPolicy(0, Set.of(), Map.of(), Map.of());

  /** The largest number of grants. */
  public static final int MOST_GRANTS = 10_000;

  /** The largest number of roles. */
  public static final int MOST_ROLES = 1_000;

  /** The largest number of members of all roles together. */
  public static final int MOST_MEMBERS = 10_000;

  /** The largest number of subjects with a quota. */
  public static final int MOST_QUOTAS = 10_000;

  private final long version;
  private final Set<Grant> grants;
  private final Map<String, AccessRole> roles;
  private final Map<Subject, Quota> quotas;

  /** Built when it is needed first. Two threads may build the same one. */
  private volatile @Nullable GrantIndex index;

  /** The names of streams in grants. Built when it is needed first. */
  private volatile @Nullable Map<StreamId, String> streamNames;

  /**
   * The grants by their subjects.
   *
   * @param exact the grants to single identities
   * @param others the grants to prefixes and roles
   */
  private record GrantIndex(Map<Identity, List<Grant>> exact, List<Grant> others) {

    static GrantIndex of(Set<Grant> grants) {
      Map<Identity, List<Grant>> exact = new HashMap<>();
      List<Grant> others = new ArrayList<>();
      for (Grant grant : grants) {
        if (grant.subject() instanceof Subject.Exact(Identity identity)) {
          exact.computeIfAbsent(identity, first -> new ArrayList<>()).add(grant);
        } else {
          others.add(grant);
        }
      }
      return new GrantIndex(exact, others);
    }
  }

  AccessPolicy(
      long version, Set<Grant> grants, Map<String, AccessRole> roles, Map<Subject, Quota> quotas) {
    this.version = version;
    this.grants = Collections.unmodifiableSet(grants);
    this.roles = Collections.unmodifiableMap(roles);
    this.quotas = Collections.unmodifiableMap(quotas);
  }

  /** Returns the name of a stream if a grant names it, for people. */
  public Optional<String> nameOf(StreamId stream) {
    @Nullable Map<StreamId, String> known = streamNames;
    if (known == null) {
      known = new HashMap<>();
      for (Grant grant : grants) {
        if (grant.target() instanceof Target.Named named) {
          known.put(named.id(), named.name());
        }
      }
      streamNames = known;
    }
    return Optional.ofNullable(known.get(stream));
  }

  /** Returns the log address behind the newest applied change, or 0 before the first. */
  public long version() {
    return version;
  }

  /** Returns the grants in the order in which they were given. */
  public Set<Grant> grants() {
    return grants;
  }

  /** Returns the roles by their names. */
  public Map<String, AccessRole> roles() {
    return roles;
  }

  /** Returns the quotas by their subjects. */
  public Map<Subject, Quota> quotas() {
    return quotas;
  }

  /** Returns all that an identity may do. */
  public Rights rightsOf(Identity identity) {
    GrantIndex known = index;
    if (known == null) {
      known = GrantIndex.of(grants);
      index = known;
    }
    List<Grant> given = new ArrayList<>(known.exact.getOrDefault(identity, List.of()));
    Set<String> memberships = rolesOf(identity);
    for (Grant grant : known.others) {
      boolean isGiven =
          grant.subject() instanceof Subject.RoleName(String name)
              ? memberships.contains(name)
              : grant.subject().matches(identity);
      if (isGiven) {
        given.add(grant);
      }
    }
    return Rights.of(given);
  }

  private Set<String> rolesOf(Identity identity) {
    Set<String> names = new HashSet<>();
    for (AccessRole role : roles.values()) {
      if (role.members().stream().anyMatch(member -> member.matches(identity))) {
        names.add(role.name());
      }
    }
    return names;
  }

  /**
   * Returns the quota of an identity: that of its exact name, or else of the longest prefix, or
   * else the lowest limits of its roles, or else {@link Quota#UNLIMITED}.
   */
  public Quota quotaOf(Identity identity) {
    Quota exact = quotas.get(Subject.parse(identity.name()));
    if (exact != null && Subject.parse(identity.name()) instanceof Subject.Exact) {
      return exact;
    }
    Optional<Subject> closest =
        quotas.keySet().stream()
            .filter(subject -> subject.matches(identity))
            .max(
                Comparator.comparing((Subject subject) -> subject instanceof Subject.Exact)
                    .thenComparing(subject -> subject.text().length()));
    if (closest.isPresent()) {
      return quotas.getOrDefault(closest.get(), Quota.UNLIMITED);
    }
    Quota ofRoles = Quota.UNLIMITED;
    for (String role : rolesOf(identity)) {
      ofRoles = ofRoles.and(quotas.getOrDefault(new Subject.RoleName(role), Quota.UNLIMITED));
    }
    return ofRoles;
  }

  /** Returns whether an identity has a permission that is not for streams. */
  public AccessDecision decide(Identity identity, Permission permission) {
    if (permission.isForStreams()) {
      throw new IllegalArgumentException(
          "the permission " + permission.text() + " is for a stream, but none is named");
    }
    return rightsOf(identity).has(permission)
        ? new AccessDecision.Allowed(identity + " has " + permission.text())
        : new AccessDecision.Denied(lack(identity, permission));
  }

  /**
   * Returns whether an identity has a permission on a stream.
   *
   * @param permission {@code read}, {@code append} or {@code trim}
   * @param stream the stream
   * @param name the stream's name, or empty if it is not known; without it, grants by prefixes of
   *     names do not apply
   */
  public AccessDecision decide(
      Identity identity, Permission permission, StreamId stream, Optional<String> name) {
    if (!permission.isForStreams()) {
      throw new IllegalArgumentException(
          "the permission " + permission.text() + " is not for streams");
    }
    Optional<String> proven = name.filter(text -> StreamId.named(text).equals(stream));
    int bits = rightsOf(identity).on(stream, id -> id.equals(stream) ? proven : Optional.empty());
    String what = name.orElseGet(() -> "id:" + stream);
    return (bits & Rights.bit(permission)) != 0
        ? new AccessDecision.Allowed(identity + " has " + permission.text() + " on " + what)
        : new AccessDecision.Denied(lack(identity, permission, what));
  }

  /** Returns the text of a missing permission that is not for streams, and what to do. */
  public static String lack(Identity identity, Permission permission) {
    return ("%1$s lacks the permission %2$s; an administrator gives it by:"
            + " corfu access grant %1$s %2$s")
        .formatted(identity, permission.text());
  }

  /**
   * Returns the text of a missing permission on a stream, and what to do.
   *
   * @param stream the stream as commands name it
   */
  public static String lack(Identity identity, Permission permission, String stream) {
    return ("%1$s lacks the permission %2$s on stream %3$s; an administrator gives it by:"
            + " corfu access grant %1$s %2$s %3$s")
        .formatted(identity, permission.text(), stream);
  }

  // ------------------------------------------------------------------------------ other policies

  AccessPolicy at(long newVersion) {
    return new AccessPolicy(newVersion, grants, roles, quotas);
  }

  AccessPolicy with(Grant grant) {
    Set<Grant> more = new LinkedHashSet<>(grants);
    more.add(grant);
    return new AccessPolicy(version, more, roles, quotas);
  }

  AccessPolicy without(Grant grant) {
    Set<Grant> fewer = new LinkedHashSet<>(grants);
    fewer.remove(grant);
    return new AccessPolicy(version, fewer, roles, quotas);
  }

  AccessPolicy with(AccessRole role) {
    Map<String, AccessRole> changed = new LinkedHashMap<>(roles);
    changed.put(role.name(), role);
    return new AccessPolicy(version, grants, changed, quotas);
  }

  AccessPolicy withoutRole(String name) {
    Map<String, AccessRole> changed = new LinkedHashMap<>(roles);
    changed.remove(name);
    return new AccessPolicy(version, grants, changed, quotas);
  }

  AccessPolicy with(Subject subject, Quota quota) {
    Map<Subject, Quota> changed = new LinkedHashMap<>(quotas);
    changed.put(subject, quota);
    return new AccessPolicy(version, grants, roles, changed);
  }

  AccessPolicy withoutQuota(Subject subject) {
    Map<Subject, Quota> changed = new LinkedHashMap<>(quotas);
    changed.remove(subject);
    return new AccessPolicy(version, grants, roles, changed);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessPolicy policy
        && version == policy.version
        && List.copyOf(grants).equals(List.copyOf(policy.grants))
        && roles.equals(policy.roles)
        && quotas.equals(policy.quotas);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(version);
  }

  @Override
  public String toString() {
    return "policy of version "
        + version
        + " with "
        + grants.size()
        + " grants, "
        + roles.size()
        + " roles, "
        + quotas.size()
        + " quotas";
  }
}
