package corfu.silver.simulation;

import corfu.fuse.Result;
import corfu.fuse.linux.FileMode;
import corfu.protocol.Address;
import corfu.runtime.CorfuException;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.VersionForgottenException;
import corfu.silver.check.TreeCheck;
import corfu.sim.application.ApplicationContext;
import corfu.sim.history.CollectionHistory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Clients that look at versions of one file system, clone it, and give up old versions. A version
 * that was not given up shows the same for ever, and so does a clone that nobody changes.
 */
final class VersionsPlay {

  private final ApplicationContext stage;
  private final CollectionHistory<TreeModel> all;
  private final String name;
  private final Map<Long, NodeId> regular;
  private final Map<Address, String> past = new TreeMap<>();
  private final Map<String, String> clones = new TreeMap<>();
  private long oldest; // the oldest version that nobody has tried to give up

  /**
   * @param all the calls on the newest version
   * @param name the name of the file system
   * @param regular the known files by their numbers
   */
  VersionsPlay(
      ApplicationContext stage,
      CollectionHistory<TreeModel> all,
      String name,
      Map<Long, NodeId> regular) {
    this.stage = stage;
    this.all = all;
    this.name = name;
    this.regular = regular;
  }

  Client enter(RandomGenerator chance, Silver silver, SilverFileSystem files) {
    return new Client(chance, silver, files);
  }

  /** One thread. */
  final class Client {

    private final RandomGenerator chance;
    private final Silver silver;
    private final SilverFileSystem files;

    private Client(RandomGenerator chance, Silver silver, SilverFileSystem files) {
      this.chance = chance;
      this.silver = silver;
      this.files = files;
    }

    private Optional<Address> oneVersion() {
      List<Address> versions = List.copyOf(past.keySet());
      return versions.isEmpty()
          ? Optional.empty()
          : Optional.of(versions.get(chance.nextInt(versions.size())));
    }

    /** Calls that name a version may fail because it was given up, or is unknown to this client. */
    private void onVersion(Address version, Runnable call) {
      onVersion(
          version,
          call,
          forgotten ->
              stage.broken("Versions", "version %s is gone: %s".formatted(version, forgotten)));
    }

    private void onVersion(Address version, Runnable call, Consumer<RuntimeException> ifGone) {
      try {
        call.run();
      } catch (IllegalArgumentException beyond) {
        if (stage.isUpToDate()) { // otherwise it may not have heard of it
          throw beyond;
        }
      } catch (VersionForgottenException | corfu.bytes.VersionForgottenException forgotten) {
        stage.count("version forgotten");
        if (version.value() >= oldest && stage.isUpToDate()) {
          ifGone.accept(forgotten);
        }
      }
    }

    /** A version shows the same for ever. */
    void lookBack() {
      Address version = oneVersion().filter(old -> chance.nextBoolean()).orElseGet(silver::version);
      onVersion(
          version,
          () -> {
            remember(version, treeOf(files.at(version)));
            stage.count("look at the past");
          });
    }

    private void remember(Address version, String now) {
      String before = past.putIfAbsent(version, now);
      if (before != null && !before.equals(now)) {
        stage.broken(
            "Versions", "version %s was [%s], and is [%s] now".formatted(version, before, now));
      }
    }

    void checkpoint() {
      Optional<Address> version = oneVersion().filter(old -> chance.nextBoolean());
      Address oldestLeft = version.orElseGet(silver::version);
      oldest = Math.max(oldest, oldestLeft.value());
      int killedAt = chance.nextBoolean() ? chance.nextInt(40) : Integer.MAX_VALUE;
      int[] reports = {0};
      try {
        var unused =
            silver.checkpoint(
                name,
                Optional.of(oldestLeft),
                TreePlay.caller(silver, 0),
                progress -> {
                  if (reports[0]++ == killedAt) {
                    throw new KilledException();
                  }
                });
        stage.count("checkpoint");
      } catch (KilledException killed) {
        stage.count("checkpoint, killed");
      } catch (IllegalArgumentException beyond) {
        if (stage.isUpToDate()) {
          throw beyond;
        }
      }
    }

    void cloneAll() {
      Address version = silver.version();
      String clone = "clone " + stage.newValue();
      onVersion(
          version,
          () -> {
            String tree = treeOf(files.at(version));
            if (silver.clone(name, Optional.of(version), clone, TreePlay.caller(silver, 0))
                instanceof Result.Success<SilverFileSystem>) {
              clones.put(clone, tree);
              stage.count("clone");
            }
          });
    }

    void lookAtClone() {
      if (!clones.isEmpty()) {
        List<String> names = List.copyOf(clones.keySet());
        checkClone(silver, names.get(chance.nextInt(names.size())));
      }
    }

    void removeClone() {
      if (clones.isEmpty()) {
        return;
      }
      String clone = clones.keySet().iterator().next();
      clones.remove(clone);
      var unused = silver.removeWithHistory(clone, TreePlay.caller(silver, 0), progress -> {});
      stage.count("clone removed");
    }

    /** The bytes of a version are known, so the copy is one change of the target. */
    void copy(long source, long target, int block) {
      oneVersion()
          .ifPresent(
              at ->
                  onVersion(
                      at,
                      () -> copy(files.at(at), regular.get(source), target, block),
                      forgotten -> noteGone(source, target)));
    }

    /** Only a file that was removed may be given up. */
    private void noteGone(long source, long target) {
      all.read("gone", () -> true, model -> model.isRemoved(source) || model.isRemoved(target));
    }

    private void copy(SilverFileSystem then, NodeId from, long target, int block) {
      if (!(then.status(from) instanceof Result.Success<NodeStatus>(NodeStatus status))
          || status.links() == 0) {
        return;
      }
      List<Integer> whole = TreePlay.tagsOf(then, from);
      List<Integer> tags = whole.subList(0, Math.min(whole.size(), TreePlay.BLOCKS - block));
      Caller caller = TreePlay.caller(silver, 0);
      String[] returned = {TreeModel.OK};
      all.change(
          "copy",
          () -> {
            Result<Long> copied =
                files.copyRange(
                    then,
                    from,
                    0,
                    regular.get(target),
                    (long) block * TreePlay.BLOCK_BYTES,
                    (long) tags.size() * TreePlay.BLOCK_BYTES,
                    caller);
            returned[0] = TreePlay.textOf(copied);
            return returned[0];
          },
          model ->
              returned[0].equals(TreeModel.OK)
                  ? model.copy(target, block, tags)
                  : new CollectionHistory.Done<>(returned[0], model));
    }
  }

  /** Ends a checkpoint in the middle. */
  private static final class KilledException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void checkClone(Silver silver, String name) {
    Optional<String> before = Optional.ofNullable(clones.get(name));
    if (before.isPresent()
        && silver.open(name) instanceof Result.Success<SilverFileSystem>(SilverFileSystem clone)) {
      String now = treeOf(clone);
      boolean isWanted = clones.containsKey(name);
      stage.count("look at a clone");
      if (isWanted && !before.get().equals(now)) {
        stage.broken(
            "Versions",
            "the clone %s was [%s], and is [%s] now".formatted(name, before.get(), now));
      }
    }
  }

  /** Returns all names and bytes of a file system that nobody changes. */
  private static String treeOf(SilverFileSystem files) {
    return treeOf(files, files.root());
  }

  private static String treeOf(SilverFileSystem files, NodeId directory) {
    if (!(files.list(directory) instanceof Result.Success(var listing))) {
      return "(nothing)";
    }
    return listing.all().stream()
        .sorted((one, other) -> one.name().compareTo(other.name()))
        .map(
            listed ->
                listed.name()
                    + (FileMode.isDirectory(listed.type())
                        ? "{" + treeOf(files, listed.node()) + "}"
                        : "=" + TreePlay.tagsOf(files, listed.node())))
        .collect(Collectors.joining(" "));
  }

  /** Checks all that remains. */
  void audit(Silver silver, SilverFileSystem files) {
    try {
      List.copyOf(clones.keySet()).forEach(name -> checkClone(silver, name));
      past.forEach(
          (version, before) -> {
            String now = version.value() < oldest ? before : treeOf(files.at(version));
            if (!now.equals(before)) {
              stage.broken(
                  "Versions",
                  "version %s was [%s], and is [%s] at last".formatted(version, before, now));
            }
          });
      TreeCheck.run(
          files.at(silver.version()),
          finding -> stage.broken("File systems", "the check finds " + finding));
    } catch (CorfuException failed) {
      stage.count("audit of the past, failed");
    } catch (VersionForgottenException | corfu.bytes.VersionForgottenException gone) {
      stage.broken("Versions", "a version that was kept is gone: " + gone.getMessage());
    }
  }
}
