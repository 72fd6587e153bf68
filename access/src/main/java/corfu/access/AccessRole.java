package corfu.access;

import java.util.LinkedHashSet;
import java.util.List;

/**
 * A named set of identities, to which permissions are granted together.
 *
 * @param name the name, 1 to {@link Subject#MOST_ROLE_CHARS} characters
 * @param members identities and prefixes of identities, each once; up to {@link #MOST_MEMBERS}
 */
public record AccessRole(String name, List<Subject> members) {

  /** The largest number of members of a role. */
  public static final int MOST_MEMBERS = 1_000;

  public AccessRole {
    var unused = new Subject.RoleName(name);
    members = List.copyOf(new LinkedHashSet<>(members));
    if (members.size() > MOST_MEMBERS) {
      throw new IllegalArgumentException(
          "a role has up to %d members, but %s would have %d"
              .formatted(MOST_MEMBERS, name, members.size()));
    }
    for (Subject member : members) {
      if (member instanceof Subject.RoleName) {
        throw new IllegalArgumentException(
            "role %s cannot have the role %s as a member".formatted(name, member.text()));
      }
    }
  }
}
