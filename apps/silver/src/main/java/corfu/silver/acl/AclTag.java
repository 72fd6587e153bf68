package corfu.silver.acl;

/** The kinds of entries, in the order that a list has them. */
public enum AclTag {
  /** The owner of the file. */
  OWNER(0x01),
  /** The user that the entry names. */
  USER(0x02),
  /** The group of the file. */
  OWNING_GROUP(0x04),
  /** The group that the entry names. */
  GROUP(0x08),
  /** The most permissions of all users and groups but the owner and others. */
  MASK(0x10),
  /** Everybody else. */
  OTHER(0x20);

  private static final AclTag[] BY_ORDER = values();

  private final int code;

  AclTag(int code) {
    this.code = code;
  }

  /** Returns whether an entry of this kind names a user or a group. */
  public boolean isNamed() {
    return this == USER || this == GROUP;
  }

  /** Returns the number of the kind in an extended attribute. */
  int code() {
    return code;
  }

  /** Returns the kind with this number. */
  static AclTag of(int code) {
    for (AclTag tag : BY_ORDER) {
      if (tag.code == code) {
        return tag;
      }
    }
    throw new IllegalArgumentException("no entry of a list has the tag " + code);
  }
}
