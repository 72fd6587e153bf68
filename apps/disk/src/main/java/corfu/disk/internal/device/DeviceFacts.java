package corfu.disk.internal.device;

import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.protocol.Address;
import java.util.List;
import java.util.Optional;

/** The facts of a disk that its devices need and the catalogue knows. Thread-safe. */
public interface DeviceFacts {

  /** Returns the name, for messages. */
  String name();

  /** Returns the size of blocks in bytes, a power of two. */
  int blockBytes();

  /** Returns the size of the disk in bytes, as far as it is known. */
  long sizeBytes();

  /**
   * Returns the versions at which the disk, the disk that it is a clone of, and so on, were cloned:
   * descending.
   */
  List<Address> originVersions();

  /** Returns the names of the snapshots, as far as they are known. */
  List<String> snapshots();

  /** Returns the version that a snapshot's name or a number means; empty if there is none. */
  Optional<Address> version(String text);

  /** Returns the content at a version; may block. */
  DiskContent at(Address version);

  /**
   * Checks that a range lies on the disk.
   *
   * @throws BlockDeviceException if it does not
   */
  default void check(long offset, long length) {
    long size = sizeBytes();
    if (offset < 0 || length < 0 || offset > size - length) {
      throw new BlockDeviceException(
          Reason.OUT_OF_RANGE,
          "disk %s has %d bytes, and no range of %d bytes at offset %d"
              .formatted(name(), size, length, offset));
    }
  }
}
