package corfu.disk.internal.serve;

import corfu.disk.DiskSnapshot;
import corfu.disk.internal.catalogue.DiskRecord;
import corfu.disk.internal.device.DeviceFacts;
import corfu.disk.internal.device.DiskContent;
import corfu.protocol.Address;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The facts of a disk as the catalogue had them when it was asked last. Thread-safe. */
final class CatalogueFacts implements DeviceFacts {

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private final DiskArrays arrays;
  private final Optional<Address> version;
  private volatile DiskRecord disk;

  /**
   * @param version the version that the device shows; empty for the disk as it is
   */
  CatalogueFacts(DiskArrays arrays, DiskRecord disk, Optional<Address> version) {
    this.arrays = arrays;
    this.version = version;
    this.disk = disk;
  }

  DiskRecord disk() {
    return disk;
  }

  void update(DiskRecord newer) {
    disk = newer;
  }

  @Override
  public String name() {
    return disk.name() + version.map(at -> "@" + at).orElse("");
  }

  @Override
  public int blockBytes() {
    return disk.blockBytes();
  }

  @Override
  public long sizeBytes() {
    return version.map(at -> disk.sizeAt(at.value())).orElseGet(() -> disk.sizeBytes());
  }

  @Override
  public List<Address> originVersions() {
    return disk.origins().stream().map(origin -> new Address(origin.version())).toList();
  }

  @Override
  public List<String> snapshots() {
    return disk.snapshots().stream().map(DiskSnapshot::name).toList();
  }

  @Override
  public Optional<Address> version(String text) {
    if (NUMBER.matcher(text).matches()) {
      return Optional.of(new Address(Long.parseLong(text)));
    }
    return disk.snapshot(text).map(DiskSnapshot::version);
  }

  @Override
  public DiskContent at(Address at) {
    return arrays.at(disk, at);
  }
}
