package corfu.silver.mount;

import corfu.fuse.mount.Counters;
import corfu.fuse.mount.FuseMount;
import corfu.fuse.mount.MountException;
import corfu.fuse.mount.MountOptions;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.world.World;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A mounted file system. Thread-safe. */
public final class SilverMount implements AutoCloseable {

  private final FuseMount mount;

  private SilverMount(FuseMount mount) {
    this.mount = mount;
  }

  /**
   * Mounts a file system. When this returns, the mount is usable.
   *
   * @param world the source of threads
   * @param silver the client that the file system is of
   * @param files the newest version, or one of the past, which is read-only
   * @param name the source that {@code /proc/mounts} shows
   * @param directory an empty directory
   * @throws MountException if the directory cannot be mounted, with the reason
   */
  public static SilverMount mount(
      World world, Silver silver, SilverFileSystem files, String name, Path directory)
      throws MountException {
    MountOptions options = MountOptions.of(name).withSubtype("silver");
    if (files.isReadOnly()) {
      options = options.with(new MountOptions.Access(true, true, true, false));
    }
    var holder =
        new Object() {
          volatile @Nullable FuseMount mount;
        };
    var fuse = new SilverFuse(silver, files, () -> stats(holder.mount));
    FuseMount mounted = FuseMount.mount(world, fuse, directory, options);
    holder.mount = mounted;
    return new SilverMount(mounted);
  }

  private static String stats(@Nullable FuseMount mount) {
    if (mount == null) {
      return "";
    }
    Counters counters = mount.counters();
    return """
    requests %d
    bytes-from-kernel %d
    bytes-to-kernel %d
    """
        .formatted(counters.requests(), counters.bytesRead(), counters.bytesWritten());
  }

  /** Returns the mount point. */
  public Path directory() {
    return mount.mountPoint();
  }

  /** Returns a future that completes when somebody has unmounted the file system. */
  public CompletableFuture<Void> end() {
    return mount.end();
  }

  /**
   * Unmounts.
   *
   * @throws MountException if the mount is in use
   */
  public void unmount() throws MountException {
    mount.unmount();
  }

  /** Unmounts, even if the mount is in use: its users get ENOTCONN. */
  @Override
  public void close() throws MountException {
    mount.close();
  }
}
