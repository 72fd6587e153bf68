package corfu.disk;

import corfu.protocol.Address;

/** The reason for which an operation on disks was refused. */
public sealed interface DiskRefusal {

  /** No disk has this name. */
  record NoSuchDisk(String name) implements DiskRefusal {}

  /** Another disk has this name. */
  record NameTaken(String name) implements DiskRefusal {}

  /** The disk has no such snapshot. */
  record NoSuchSnapshot(DiskTarget target) implements DiskRefusal {}

  /** The disk has a snapshot of this name. */
  record SnapshotTaken(DiskTarget target) implements DiskRefusal {}

  /** The log ends before this version. */
  record NotYet(DiskTarget target, Address tail) implements DiskRefusal {}

  /** The space of this version was reclaimed. */
  record Reclaimed(DiskTarget target, Address oldest) implements DiskRefusal {}

  /** A server writes the disk. */
  record InUse(String name, String owner) implements DiskRefusal {}

  /** The disk would lose its end. */
  record WouldShrink(String name, long sizeBytes, long wantedBytes) implements DiskRefusal {}

  /** The disk is a clone of a clone, and so on, too many times. */
  record TooDeep(DiskTarget source, int most) implements DiskRefusal {}

  /** The disk has as many snapshots as it may have. */
  record TooManySnapshots(String name, int most) implements DiskRefusal {}

  /** Returns what happened, and what to do. */
  default String message() {
    return switch (this) {
      case NoSuchDisk(String name) ->
          "there is no disk %s; to see all: corfu disk list".formatted(name);
      case NameTaken(String name) ->
          "there is a disk %s already; choose another name".formatted(name);
      case NoSuchSnapshot(DiskTarget target) ->
          "there is no snapshot %s; to see all: corfu disk list".formatted(target);
      case SnapshotTaken(DiskTarget target) ->
          "there is a snapshot %s already; choose another name".formatted(target);
      case NotYet(DiskTarget target, Address tail) ->
          "version %s does not exist yet; the newest version is %s".formatted(target, tail);
      case Reclaimed(DiskTarget target, Address oldest) ->
          "version %s is gone: its space was reclaimed; the oldest version is %s, besides snapshots"
              .formatted(target, oldest);
      case InUse(String name, String owner) ->
          "%s serves disk %s; stop it, or take the disk over with --takeover"
              .formatted(owner, name);
      case WouldShrink(String name, long size, long wanted) ->
          "disk %s has %d bytes, and would lose those behind %d; repeat with --shrink"
              .formatted(name, size, wanted);
      case TooDeep(DiskTarget source, int most) ->
          "%s is a clone of a clone, and so on, %d times; copy it to a new disk instead"
              .formatted(source, most);
      case TooManySnapshots(String name, int most) ->
          "disk %s has %d snapshots, which is the most; delete one".formatted(name, most);
    };
  }
}
