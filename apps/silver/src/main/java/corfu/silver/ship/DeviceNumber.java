package corfu.silver.ship;

/** The number of a device, as FUSE has it: 12 bits of its driver, and 20 bits of its own. */
final class DeviceNumber {

  private static final int MINOR_LOW = 0xff;
  private static final int MAJOR = 0xfff;
  private static final int MAJOR_SHIFT = 8;
  private static final int HIGH_SHIFT = 12;

  private DeviceNumber() {}

  static int major(int device) {
    return (device >>> MAJOR_SHIFT) & MAJOR;
  }

  static int minor(int device) {
    return (device & MINOR_LOW) | ((device >>> HIGH_SHIFT) & ~MINOR_LOW);
  }

  static int of(int major, int minor) {
    return (minor & MINOR_LOW)
        | ((major & MAJOR) << MAJOR_SHIFT)
        | ((minor & ~MINOR_LOW) << HIGH_SHIFT);
  }
}
