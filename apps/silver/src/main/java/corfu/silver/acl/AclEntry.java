package corfu.silver.acl;

/**
 * An entry of an access control list.
 *
 * @param tag the kind of the entry
 * @param permissions 4 to read, 2 to write, 1 to execute, added up
 * @param id the user or group if the kind names one, otherwise {@link #NOBODY}
 */
public record AclEntry(AclTag tag, int permissions, int id) {

  /** No user and no group. */
  public static final int NOBODY = -1;

  private static final int ALL = 7;

  public AclEntry {
    if ((permissions & ~ALL) != 0) {
      throw new IllegalArgumentException("permissions are 0 to 7, not " + permissions);
    }
    if (tag.isNamed() == (id == NOBODY)) {
      throw new IllegalArgumentException("an entry for %s has the id %d".formatted(tag, id));
    }
  }

  /** Returns an entry that names no user and no group. */
  public static AclEntry of(AclTag tag, int permissions) {
    return new AclEntry(tag, permissions, NOBODY);
  }

  /** Returns the entry with other permissions. */
  AclEntry with(int newPermissions) {
    return new AclEntry(tag, newPermissions, id);
  }
}
