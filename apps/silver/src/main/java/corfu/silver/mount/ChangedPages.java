package corfu.silver.mount;

import corfu.fuse.Kernel;
import corfu.fuse.protocol.Notification;
import corfu.protocol.Address;
import corfu.runtime.CorfuException;
import corfu.silver.NodeId;
import corfu.silver.NodeWatch;
import corfu.silver.SilverFileSystem;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the kernel drop the pages of open files that another client changes. Reads ask the mount
 * before they use a page, but the pages of a mapped file are used without a request. While the
 * mount is alone, nobody else changes anything, and nothing is watched. Thread-safe.
 */
final class ChangedPages {

  private static final Logger LOG = LoggerFactory.getLogger(ChangedPages.class);

  /** Files that are open for so short a time are not watched. */
  private static final Duration WATCH_AFTER = Duration.ofMillis(100);

  /** The pause between two looks at what has changed, if a file is open. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** The files that are watched at most: those that were opened first. */
  static final int MAX_FILES = 1_024;

  private static final int MAX_CHANGES = 256;

  private final World world;
  private final RequestDeadlines deadlines;

  // Guarded by this.
  private final Map<Long, Opened> open = new LinkedHashMap<>(); // by the kernel's number
  private final Map<Long, List<Address>> changes = new HashMap<>();
  private final Set<Long> overflown = new HashSet<>(); // files with too many changes to list
  private CompletableFuture<Void> opened = new CompletableFuture<>();

  // Of the one thread that watches.
  private final Map<Long, NodeWatch> watches = new HashMap<>();

  private record Opened(SilverFileSystem files, NodeId node, int handles, long sinceNanos) {}

  ChangedPages(World world, RequestDeadlines deadlines) {
    this.world = world;
    this.deadlines = deadlines;
  }

  /** A handle of a file is opened. */
  synchronized void opened(long number, SilverFileSystem files, NodeId node) {
    if (!files.isReadOnly()) {
      Opened before = open.get(number);
      open.put(
          number,
          before == null
              ? new Opened(files, node, 1, world.nanoTime())
              : new Opened(files, node, before.handles() + 1, before.sinceNanos()));
      opened.complete(null);
    }
  }

  /** A handle of a file is closed. */
  synchronized void closed(long number) {
    open.computeIfPresent(
        number,
        (same, file) ->
            file.handles() == 1
                ? null
                : new Opened(file.files(), file.node(), file.handles() - 1, file.sinceNanos()));
  }

  /** Runs until the mount ends. */
  void run(Kernel kernel, CompletableFuture<Void> end) {
    try {
      while (!end.isDone()) {
        awaitWork(end);
        Map<Long, Opened> wanted = wanted();
        watches.keySet().removeIf(number -> hasEnded(number, wanted));
        wanted.forEach((number, file) -> watch(kernel, number, file));
        for (long number : changedByOthers()) {
          drop(kernel, number);
        }
      }
    } finally {
      watches.values().forEach(NodeWatch::close);
    }
  }

  private void awaitWork(CompletableFuture<Void> end) {
    CompletableFuture<Void> work = nextOpen();
    if (!work.isDone() && watches.isEmpty()) {
      var unused = CompletableFuture.anyOf(work, end).join();
      return;
    }
    CompletableFuture<Void> later = new CompletableFuture<>();
    Duration pause = watches.isEmpty() ? WATCH_AFTER : PAUSE;
    World.Timer timer = world.after(pause.toNanos(), () -> later.complete(null));
    var unused = CompletableFuture.anyOf(later, end).join();
    timer.cancel();
  }

  /** Returns a future that is complete as soon as a file is open. */
  private synchronized CompletableFuture<Void> nextOpen() {
    if (open.isEmpty() && opened.isDone()) {
      opened = new CompletableFuture<>();
    }
    return opened;
  }

  private synchronized Map<Long, Opened> wanted() {
    Map<Long, Opened> wanted = new LinkedHashMap<>();
    long now = world.nanoTime();
    for (Map.Entry<Long, Opened> each : open.entrySet()) {
      Opened file = each.getValue();
      if (wanted.size() < MAX_FILES
          && file.files().aloneNanos() == 0
          && now - file.sinceNanos() >= WATCH_AFTER.toNanos()) {
        wanted.put(each.getKey(), file);
      }
    }
    return wanted;
  }

  private boolean hasEnded(long number, Map<Long, Opened> wanted) {
    if (wanted.containsKey(number)) {
      return false;
    }
    NodeWatch watch = watches.get(number);
    if (watch != null) {
      watch.close();
    }
    return true;
  }

  private void watch(Kernel kernel, long number, Opened file) {
    if (watches.containsKey(number) || deadlines.isOutage()) {
      return;
    }
    try {
      watches.put(
          number,
          deadlines.within(
              () -> file.files().watch(file.node(), change -> changed(number, change))));
      drop(kernel, number); // what others have changed between the open and the watch
    } catch (CorfuException later) {
      LOG.debug("The changes of {} are not watched yet", file.node(), later);
    }
  }

  private synchronized void changed(long number, Address change) {
    List<Address> known = changes.computeIfAbsent(number, none -> new ArrayList<>());
    if (known.size() < MAX_CHANGES) {
      known.add(change);
    } else {
      overflown.add(number);
    }
  }

  /** Returns the files with changes of others. An own change is known as that by now. */
  private Set<Long> changedByOthers() {
    Map<Long, List<Address>> all;
    Set<Long> numbers;
    synchronized (this) {
      all = new HashMap<>(changes);
      changes.clear();
      numbers = new HashSet<>(overflown);
      overflown.clear();
    }
    all.forEach(
        (number, addresses) -> {
          NodeWatch watch = watches.get(number);
          if (watch == null || !addresses.stream().allMatch(watch::isOwn)) {
            numbers.add(number);
          }
        });
    return numbers;
  }

  private static void drop(Kernel kernel, long number) {
    var unused = kernel.send(new Notification.InvalidateInode(number, 0, 0));
  }
}
