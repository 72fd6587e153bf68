package corfu.silver.mount;

import corfu.fuse.linux.SystemCalls;
import corfu.fuse.mount.FuseMount;
import corfu.fuse.mount.MountException;
import corfu.fuse.mount.MountOptions;
import corfu.fuse.protocol.InitFlag;
import corfu.runtime.CorfuException;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.world.World;
import corfu.world.World.Timer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mounted file system. Thread-safe.
 *
 * <p>The process must not map files of its own mount: a thread that waits for a page holds up the
 * threads that serve it.
 */
public final class SilverMount implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SilverMount.class);

  /** Four times in the time for which a look is good. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final FuseMount mount;

  private final CompletableFuture<Void> end;

  private SilverMount(FuseMount mount, CompletableFuture<Void> left) {
    this.mount = mount;
    this.end = CompletableFuture.allOf(mount.end(), left);
  }

  /** Mounts a file system with {@link SilverMountOptions#DEFAULT}. */
  public static SilverMount mount(
      World world, Silver silver, SilverFileSystem files, String name, Path directory)
      throws MountException {
    return mount(world, silver, files, name, directory, SilverMountOptions.DEFAULT);
  }

  /**
   * Mounts a file system. When this returns, the mount is usable.
   *
   * @param world the source of threads
   * @param silver the client that the file system is of. Nothing else may change the file system
   *     through it, because the kernel relies on what the mount knows.
   * @param files the newest version, or one of the past, which is read-only
   * @param name the source that {@code /proc/mounts} shows
   * @param directory an empty directory
   * @param settings the promises of the mount
   * @throws MountException if the directory cannot be mounted, with the reason
   */
  public static SilverMount mount(
      World world,
      Silver silver,
      SilverFileSystem files,
      String name,
      Path directory,
      SilverMountOptions settings)
      throws MountException {
    // Only root may let other users in, unless /etc/fuse.conf says otherwise.
    boolean allowOther = SystemCalls.effectiveUserId() == 0;
    // A default access control list replaces the umask, which the kernel must leave to the mount.
    MountOptions options =
        MountOptions.of(name)
            .withSubtype("silver")
            .with(new MountOptions.Access(allowOther, true, files.isReadOnly(), false))
            .with(InitFlag.POSIX_ACL)
            .with(InitFlag.DONT_MASK);
    var deadlines = new RequestDeadlines(silver, settings.timeout());
    var pages = new ChangedPages(world, deadlines);
    MountedData data =
        settings.consistency() == SilverMountOptions.Consistency.STRICT || files.isReadOnly()
            ? new StrictData(pages)
            : new BufferedData(world, settings.writeBack(), files, deadlines);
    var statistics = new MountStatistics(silver, data);
    SilverFuse fuse = new SilverFuse(world, silver, files, data, deadlines, statistics);
    FuseMount mounted;
    try {
      mounted = FuseMount.mount(world, fuse, directory, options);
    } catch (MountException | RuntimeException failed) {
      data.close();
      throw failed;
    }
    statistics.mounted(mounted);
    // Both send notifications, which wait in the kernel: a virtual thread would keep its carrier.
    world.work("silver pages", () -> pages.run(mounted.kernel(), mounted.end()));
    CompletableFuture<Void> left = new CompletableFuture<>();
    world.work(
        "silver members",
        () -> {
          try {
            lookForOthers(world, silver, files, deadlines, fuse, mounted);
            leave(files, deadlines);
          } finally {
            left.complete(null);
          }
        });
    return new SilverMount(mounted, left);
  }

  /** Runs as long as the mount. */
  private static void lookForOthers(
      World world,
      Silver silver,
      SilverFileSystem files,
      RequestDeadlines deadlines,
      SilverFuse fuse,
      FuseMount mount) {
    boolean wasAlone = false;
    while (!mount.end().isDone()) {
      boolean isAlone = false;
      try {
        isAlone = deadlines.within(() -> look(silver, files));
        deadlines.looked(true);
      } catch (CorfuException unreachable) {
        deadlines.looked(false);
        LOG.debug("The log is out of reach; the mount asks it for everything", unreachable);
      }
      if (wasAlone && !isAlone) {
        fuse.dropCaches(mount.kernel());
      }
      wasAlone = isAlone;
      pause(world, mount, LOOK_EVERY);
    }
  }

  /** Waits, but not longer than the mount exists. */
  private static void pause(World world, FuseMount mount, Duration time) {
    CompletableFuture<Void> later = new CompletableFuture<>();
    Timer timer = world.after(time.toNanos(), () -> later.complete(null));
    var unused = CompletableFuture.anyOf(later, mount.end()).join();
    timer.cancel();
  }

  /** Nobody can change a version of the past, so its mount only asks whether the log answers. */
  private static boolean look(Silver silver, SilverFileSystem files) {
    if (files.isReadOnly()) {
      var unused = silver.version();
    }
    return files.lookForOthers() > 0;
  }

  private static void leave(SilverFileSystem files, RequestDeadlines deadlines) {
    try {
      deadlines.run(files::leave);
    } catch (CorfuException unreachable) {
      LOG.warn("Others may take this mount for alive: {}", unreachable.getMessage());
    }
  }

  /** Returns the mount point. */
  public Path directory() {
    return mount.mountPoint();
  }

  /**
   * Returns a future that completes when somebody has unmounted the file system, and others know
   * that this mount changes nothing any more.
   */
  public CompletableFuture<Void> end() {
    return end.copy();
  }

  /**
   * Unmounts.
   *
   * @throws MountException if the mount is in use
   */
  public void unmount() throws MountException {
    mount.unmount();
    end.join();
  }

  /** Unmounts, even if the mount is in use: its users get ENOTCONN. */
  @Override
  public void close() throws MountException {
    mount.close();
    end.join();
  }
}
