package corfu.silver.simulation;

import corfu.bytes.BytesOptions;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.runtime.CorfuException;
import corfu.runtime.stream.Streams;
import corfu.silver.AttributeChange;
import corfu.silver.Caller;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.SilverOptions;
import corfu.silver.VersionForgottenException;
import corfu.silver.acl.AccessControlList;
import corfu.silver.acl.AclEntry;
import corfu.silver.acl.AclKind;
import corfu.silver.acl.AclTag;
import corfu.silver.quota.QuotaLimits;
import corfu.sim.application.Application;
import corfu.sim.application.ApplicationClient;
import corfu.sim.application.ApplicationContext;
import corfu.sim.application.ApplicationRun;
import corfu.sim.history.CollectionHistory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Clients of one file system. Their results are those of a file system in one memory. */
final class TreePlay implements ApplicationRun {

  static final Application APPLICATION = with(PlantedBug.NONE);

  /** A bug of the clients that the check of their results has to find. */
  enum PlantedBug {
    NONE,
    /** A client lists a directory as it first saw it. */
    OLD_LISTS,
    /** A write reports success, but is not made. */
    LOST_WRITES,
    /** A checkpoint trims data that is still in use. */
    LOST_DATA
  }

  private static final String NAME = "simulated";
  private static final List<String> NAMES = List.of("a", "b", "c");
  static final int BLOCK_BYTES = 1_000; // the fifth block does not fit into the inode
  static final int BLOCKS = 6;
  private static final int TAGS = 100;
  private static final long THINK_NANOS_MAX = 300_000_000L;

  private final ApplicationContext stage;
  private final CollectionHistory<TreeModel> all;
  private final Map<Long, NodeId> directories = new TreeMap<>(); // by their numbers
  private final Map<Long, NodeId> regular = new TreeMap<>();
  private final VersionsPlay versions;

  private final PlantedBug bug;
  private final Map<NodeId, String> firstLists = new HashMap<>();

  private TreePlay(ApplicationContext stage, PlantedBug bug) {
    this.stage = stage;
    this.bug = bug;
    this.all = new CollectionHistory<>("tree", TreeModel.empty(), stage);
    this.versions = new VersionsPlay(stage, all, NAME, regular);
  }

  static Application with(PlantedBug bug) {
    return stage -> new TreePlay(stage, bug);
  }

  @Override
  public Consumer<ApplicationClient> enter(ApplicationClient process) {
    RandomGenerator chance = process.chance();
    BytesOptions bytes = BytesOptions.DEFAULT.withCheckpointsFrom(1 + chance.nextInt(20));
    var options = new SilverOptions(1 + chance.nextInt(20), 1 + chance.nextInt(20), bytes);
    Silver silver = Silver.over(process.corfu(), options);
    SilverFileSystem files = opened(silver);
    return seat -> new Client(seat, silver, files).run();
  }

  /** The user of an operation is the number of the node that it makes. */
  static Caller caller(Silver silver, long number) {
    return silver.caller((int) number, 0);
  }

  private SilverFileSystem opened(Silver silver) {
    Result<SilverFileSystem> files = silver.create(NAME, caller(silver, TreeModel.ROOT));
    if (files.equals(Result.failed(Errno.EEXIST))) {
      files = silver.open(NAME);
    }
    SilverFileSystem found = ((Result.Success<SilverFileSystem>) files).value();
    directories.put(TreeModel.ROOT, found.root());
    return found;
  }

  static String textOf(Result<?> result) {
    return switch (result) {
      case Result.Success<?> success -> TreeModel.OK;
      case Result.Failure<?>(Errno errno) -> errno.name();
    };
  }

  private void learn(long number, NodeId node, boolean isDirectory) {
    (isDirectory ? directories : regular).put(number, node);
  }

  private String listOf(SilverFileSystem files, NodeId directory) {
    return bug == PlantedBug.OLD_LISTS
        ? firstLists.computeIfAbsent(directory, node -> listNow(files, node))
        : listNow(files, directory);
  }

  private static String listNow(SilverFileSystem files, NodeId directory) {
    return files.list(directory) instanceof Result.Success(var listing)
        ? String.join(
            " ", listing.all().stream().map(listed -> listed.name().toString()).sorted().toList())
        : "";
  }

  private static String contentOf(SilverFileSystem files, NodeId node) {
    return tagsOf(files, node).toString();
  }

  static List<Integer> tagsOf(SilverFileSystem files, NodeId node) {
    if (!(files.read(node, 0, 2 * BLOCKS * BLOCK_BYTES + 1)
        instanceof Result.Success<ByteBuffer>(ByteBuffer bytes))) {
      return List.of();
    }
    List<Integer> tags = new ArrayList<>();
    for (int at = 0; at < bytes.remaining(); at += BLOCK_BYTES) {
      byte tag = bytes.get(at);
      boolean isWhole = at + BLOCK_BYTES <= bytes.remaining();
      for (int i = at; isWhole && i < at + BLOCK_BYTES; i++) {
        isWhole = bytes.get(i) == tag;
      }
      tags.add(isWhole ? (int) tag : -1);
    }
    return tags;
  }

  /** One thread. */
  private final class Client {

    private final ApplicationClient seat;
    private final RandomGenerator chance;
    private final Silver silver;
    private final SilverFileSystem files;
    private final VersionsPlay.Client past;
    private final List<Long> used = new ArrayList<>(); // the nodes of the present operation

    Client(ApplicationClient seat, Silver silver, SilverFileSystem files) {
      this.seat = seat;
      this.chance = seat.chance();
      this.silver = silver;
      this.files = files;
      this.past = versions.enter(seat.chance(), silver, files);
    }

    void run() {
      while (!seat.isOver().getAsBoolean()) {
        try {
          doSomething();
        } catch (CorfuException failed) {
          stage.count("call, failed");
        } catch (VersionForgottenException | corfu.bytes.VersionForgottenException gone) {
          noteGone();
        } catch (RuntimeException failure) {
          stage.unexpected(seat.name(), failure);
        }
        long most = chance.nextLong(1, THINK_NANOS_MAX);
        seat.world().pause(Duration.ofNanos(chance.nextLong(most)));
      }
    }

    private long one(Map<Long, NodeId> of) {
      List<Long> numbers = List.copyOf(of.keySet());
      int recent = Math.max(0, numbers.size() - 6);
      long number =
          chance.nextInt(4) == 0
              ? numbers.getFirst()
              : numbers.get(recent + chance.nextInt(numbers.size() - recent));
      used.add(number);
      return number;
    }

    /** Only nodes that were removed may be given up. */
    private void noteGone() {
      List<Long> numbers = List.copyOf(used);
      all.read(
          "gone",
          () -> "gone",
          model -> numbers.stream().anyMatch(model::isRemoved) ? "gone" : numbers + " are there");
    }

    private String name() {
      return NAMES.get(chance.nextInt(NAMES.size()));
    }

    private void doSomething() {
      if (chance.nextInt(3) == 0 && files.lookForOthers() > 0) {
        stage.count("alone");
      }
      if (chance.nextInt(8) == 0) {
        files.leave();
      }
      used.clear();
      if (chance.nextInt(20) == 0) {
        setQuota();
      }
      if (!regular.isEmpty() && chance.nextInt(8) == 0) {
        long file = one(regular);
        used.add(file);
        setPermissions(regular.get(file));
      }
      if (chance.nextInt(4) == 0) {
        withHistory();
        return;
      }
      long directory = one(directories);
      NodeId in = directories.get(directory);
      switch (chance.nextInt(regular.isEmpty() ? 12 : 20)) {
        case 0, 1, 2 -> create(directory, in);
        case 3 -> remove(directory, in);
        case 4, 5, 6 -> rename(directory, in);
        case 7, 8 -> lookUp(directory, in, name());
        case 9, 10 -> all.read("list", () -> listOf(files, in), model -> model.list(directory));
        case 11 -> past.lookBack();
        default -> withFile(directory, in);
      }
    }

    /** A limit that nobody reaches changes no result. */
    private void setQuota() {
      QuotaLimits limits =
          chance.nextBoolean()
              ? QuotaLimits.NONE
              : new QuotaLimits(OptionalLong.of(1L << 40), OptionalLong.of(1L << 40));
      NodeId root = directories.get(TreeModel.ROOT);
      if (files.quotas().set(root, limits, caller(silver, 0)).equals(Result.done())) {
        stage.count("set a quota");
      }
    }

    /** The mode of a file follows its list, in any order of these changes. */
    private void setPermissions(NodeId node) {
      int mode = chance.nextInt(AccessControlList.MODE_BITS + 1);
      Caller caller = caller(silver, 0);
      Result<?> result =
          switch (chance.nextInt(3)) {
            case 0 -> files.setAttributes(node, AttributeChange.NONE.withPermissions(mode), caller);
            case 1 ->
                files.setAccessControlList(
                    node, AclKind.ACCESS, AccessControlList.ofMode(mode), 0, caller);
            default -> files.setAccessControlList(node, AclKind.ACCESS, maskedBy(mode), 0, caller);
          };
      stage.count("set permissions " + textOf(result));
    }

    private static AccessControlList maskedBy(int mode) {
      return new AccessControlList(
          List.of(
              AclEntry.of(AclTag.OWNER, mode >> 6 & 7),
              new AclEntry(AclTag.USER, 4, 1),
              AclEntry.of(AclTag.OWNING_GROUP, 5),
              AclEntry.of(AclTag.MASK, mode >> 3 & 7),
              AclEntry.of(AclTag.OTHER, mode & 7)));
    }

    private void create(long directory, NodeId in) {
      long number = stage.newValue();
      boolean asDirectory = chance.nextBoolean();
      String name = name();
      NewNode state =
          NewNode.of((asDirectory ? FileMode.DIRECTORY : FileMode.REGULAR) | 0755, (int) number, 0);
      all.change(
          asDirectory ? "mkdir" : "create",
          () -> {
            Result<NodeId> made =
                files.create(in, FileName.of(name), state, caller(silver, number));
            if (made instanceof Result.Success<NodeId>(NodeId node)) {
              learn(number, node, asDirectory);
            }
            return textOf(made);
          },
          model -> model.create(directory, name, number, asDirectory));
    }

    private void remove(long directory, NodeId in) {
      String name = name();
      boolean asDirectory = chance.nextBoolean();
      Caller caller = caller(silver, 0);
      all.change(
          asDirectory ? "rmdir" : "unlink",
          () ->
              textOf(
                  asDirectory
                      ? files.removeDirectory(in, FileName.of(name), caller)
                      : files.unlink(in, FileName.of(name), caller)),
          model -> model.remove(directory, name, asDirectory));
    }

    private void rename(long directory, NodeId in) {
      long target = one(directories);
      NodeId to = directories.get(target);
      String name = name();
      String newName = name();
      Caller caller = caller(silver, 0);
      if (chance.nextInt(3) == 0) {
        all.change(
            "exchange",
            () -> textOf(files.exchange(in, FileName.of(name), to, FileName.of(newName), caller)),
            model -> model.exchange(directory, name, target, newName));
        return;
      }
      boolean mustBeNew = chance.nextBoolean();
      all.change(
          "rename",
          () ->
              textOf(
                  files.rename(in, FileName.of(name), to, FileName.of(newName), mustBeNew, caller)),
          model -> model.rename(directory, name, target, newName, mustBeNew));
    }

    private void lookUp(long directory, NodeId in, String name) {
      all.read(
          "lookup",
          () ->
              switch (files.lookUp(in, FileName.of(name))) {
                case Result.Success<NodeStatus>(NodeStatus status) -> {
                  learn(status.uid(), status.node(), status.isDirectory());
                  yield Long.toString(status.uid());
                }
                case Result.Failure<NodeStatus>(Errno errno) -> errno.name();
              },
          model -> model.lookUp(directory, name));
    }

    private void withFile(long directory, NodeId in) {
      long number = one(regular);
      NodeId node = regular.get(number);
      int block = chance.nextInt(BLOCKS);
      int tag = 1 + chance.nextInt(TAGS);
      Caller caller = caller(silver, 0);
      switch (chance.nextInt(8)) {
        case 0, 1 ->
            all.change(
                "write",
                () ->
                    bug == PlantedBug.LOST_WRITES
                        ? TreeModel.OK
                        : textOf(files.write(node, (long) block * BLOCK_BYTES, block(tag), caller)),
                model -> model.write(number, block, tag));
        case 2 ->
            all.change(
                "append",
                () -> textOf(files.append(node, block(tag), caller)),
                model -> model.append(number, tag));
        case 3 ->
            all.change(
                "resize",
                () -> textOf(files.resize(node, (long) block * BLOCK_BYTES, caller)),
                model -> model.resize(number, block));
        case 4 ->
            all.change(
                "punch",
                () -> textOf(files.punch(node, (long) block * BLOCK_BYTES, BLOCK_BYTES, caller)),
                model -> model.punch(number, block));
        case 5 -> {
          String name = name();
          all.change(
              "link",
              () -> textOf(files.link(node, in, FileName.of(name), caller)),
              model -> model.link(number, directory, name));
        }
        default ->
            all.read(
                "read", () -> contentOf(files, node), model -> blocksOf(model.content(number)));
      }
    }

    private static String blocksOf(String content) {
      return content.replaceAll("] .*", "]");
    }

    private static ByteBuffer block(int tag) {
      byte[] bytes = new byte[BLOCK_BYTES];
      Arrays.fill(bytes, (byte) tag);
      return ByteBuffer.wrap(bytes);
    }

    private void withHistory() {
      switch (chance.nextInt(regular.isEmpty() ? 9 : 13)) {
        case 0, 1 -> {
          past.checkpoint();
          if (bug == PlantedBug.LOST_DATA) {
            regular.values().forEach(this::loseData);
          }
        }
        case 2, 3 -> past.cloneAll();
        case 4 -> past.removeClone();
        case 5, 6 -> past.lookAtClone();
        case 7, 8 -> past.lookBack();
        default -> {
          long source = one(regular);
          past.copy(source, one(regular), chance.nextInt(BLOCKS));
        }
      }
    }

    private void loseData(NodeId node) {
      var reader = Streams.over(seat.corfu()).open(node.data()).reader();
      reader.sync();
      reader.readRest().forEach(entry -> seat.corfu().log().trim(entry.address()));
    }
  }

  @Override
  public void audit(ApplicationClient auditor) {
    Silver silver = Silver.over(auditor.corfu());
    SilverFileSystem files = opened(silver);
    directories.forEach(
        (number, node) ->
            read("list at last", number, () -> listOf(files, node), model -> model.list(number)));
    regular.forEach(
        (number, node) ->
            read(
                "content at last",
                number,
                () ->
                    files.status(node) instanceof Result.Success<NodeStatus>(NodeStatus status)
                        ? contentOf(files, node) + " " + status.links()
                        : "",
                model -> model.content(number)));
    regular.values().forEach(node -> checkList(files, node));
    versions.audit(silver, files);
  }

  private void checkList(SilverFileSystem files, NodeId node) {
    try {
      checkListOf(files, node);
    } catch (VersionForgottenException given) {
      stage.count("version forgotten"); // the file was removed before
    }
  }

  private void checkListOf(SilverFileSystem files, NodeId node) {
    if (files.status(node) instanceof Result.Success<NodeStatus>(NodeStatus status)
        && files.extendedAttributes(node) instanceof Result.Success(var attributes)) {
      Optional.ofNullable(attributes.get(AclKind.ACCESS.attribute()))
          .flatMap(AccessControlList::decode)
          .filter(list -> list.permissions() != (status.mode() & AccessControlList.MODE_BITS))
          .ifPresent(
              list ->
                  stage.broken(
                      "Lists", "%s has the mode %o and %s".formatted(node, status.mode(), list)));
    }
  }

  /** Reads something of a node, which may be given up if it was removed. */
  private void read(
      String what, long number, Supplier<String> call, Function<TreeModel, String> model) {
    try {
      all.read(what, call::get, model::apply);
    } catch (VersionForgottenException | corfu.bytes.VersionForgottenException gone) {
      all.read("gone", () -> true, after -> after.isRemoved(number));
    }
  }

  @Override
  public void check() {
    if (stage.isUpToDate()) {
      all.check(stage);
    }
  }
}
