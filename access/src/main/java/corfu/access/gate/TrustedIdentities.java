package corfu.access.gate;

import corfu.access.Subject;
import corfu.protocol.Identity;
import java.util.List;

/**
 * The identities that a server's configuration names. They may do everything, whatever the policy
 * says, and also before the policy is known.
 *
 * @param servers the servers of the cluster
 * @param administrators the first administrators
 */
public record TrustedIdentities(List<Subject> servers, List<Subject> administrators) {

  public TrustedIdentities {
    servers = List.copyOf(servers);
    administrators = List.copyOf(administrators);
    servers.forEach(TrustedIdentities::check);
    administrators.forEach(TrustedIdentities::check);
  }

  private static void check(Subject subject) {
    if (subject.matches(Identity.ANONYMOUS)
        || subject instanceof Subject.RoleName
        || subject.equals(new Subject.Prefix(""))) {
      throw new IllegalArgumentException(
          "servers and first administrators are proven identities or prefixes of them, but not "
              + subject.text());
    }
  }

  /** Returns whether the identity is a server of the cluster. */
  public boolean isServer(Identity identity) {
    return servers.stream().anyMatch(subject -> subject.matches(identity));
  }

  /** Returns whether the identity is a server or a configured administrator. */
  public boolean contains(Identity identity) {
    return isServer(identity)
        || administrators.stream().anyMatch(subject -> subject.matches(identity));
  }
}
