package corfu.silver;

import corfu.fuse.protocol.Timestamp;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Changes of attributes; those that are empty stay.
 *
 * @param permissions the new permissions
 * @param uid the new owner
 * @param gid the new group
 * @param accessTime the new time of the last read
 * @param modificationTime the new time of the last change of the data
 */
public record AttributeChange(
    OptionalInt permissions,
    OptionalInt uid,
    OptionalInt gid,
    Optional<Timestamp> accessTime,
    Optional<Timestamp> modificationTime) {

  /** No change. */
  public static final AttributeChange NONE =
      new AttributeChange(
          OptionalInt.empty(),
          OptionalInt.empty(),
          OptionalInt.empty(),
          Optional.empty(),
          Optional.empty());

  /** Returns whether nothing changes. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** Returns the change with new permissions. */
  public AttributeChange withPermissions(int bits) {
    return new AttributeChange(OptionalInt.of(bits), uid, gid, accessTime, modificationTime);
  }

  /** Returns the change with a new owner. */
  public AttributeChange withUid(int owner) {
    return new AttributeChange(
        permissions, OptionalInt.of(owner), gid, accessTime, modificationTime);
  }

  /** Returns the change with a new group. */
  public AttributeChange withGid(int group) {
    return new AttributeChange(
        permissions, uid, OptionalInt.of(group), accessTime, modificationTime);
  }

  /** Returns the change with a new time of the last read. */
  public AttributeChange withAccessTime(Timestamp time) {
    return new AttributeChange(permissions, uid, gid, Optional.of(time), modificationTime);
  }

  /** Returns the change with a new time of the last change of the data. */
  public AttributeChange withModificationTime(Timestamp time) {
    return new AttributeChange(permissions, uid, gid, accessTime, Optional.of(time));
  }
}
