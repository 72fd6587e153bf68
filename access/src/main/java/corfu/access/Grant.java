package corfu.access;

import corfu.protocol.Permission;

/**
 * A permission that a subject has on a target.
 *
 * @param subject who has it
 * @param permission what it allows
 * @param target streams for {@code read}, {@code append} and {@code trim}; {@link
 *     Target.Whole#WHOLE} for all other permissions
 */
public record Grant(Subject subject, Permission permission, Target target) {

  public Grant {
    if (permission.isForStreams() != target.isOfStreams()) {
      throw new IllegalArgumentException(
          permission.isForStreams()
              ? "the permission " + permission.text() + " is granted on streams"
              : "the permission " + permission.text() + " is granted on nothing in particular");
    }
  }

  /** Returns the grant of a permission on all that the permission is about. */
  public static Grant of(Subject subject, Permission permission) {
    return new Grant(subject, permission, Target.whole(permission));
  }

  /** Returns the grant as it is written in commands: subject, permission, target. */
  public String text() {
    String what = subject.text() + " " + permission.text();
    return target.isOfStreams() ? what + " " + target.text() : what;
  }

  @Override
  public String toString() {
    return text();
  }
}
