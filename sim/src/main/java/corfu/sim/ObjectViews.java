package corfu.sim;

import corfu.objects.DivergenceListener;
import corfu.objects.ObjectOptions;
import corfu.objects.RemoteObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.host.HostTypes;
import corfu.objects.remote.RemoteOptions;
import corfu.objects.serial.InLog;
import corfu.objects.type.ObjectType;
import corfu.runtime.Corfu;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** The objects that all clients of a run share, as one client views them. */
final class ObjectViews {

  static final String LEFT = "left";
  static final String RIGHT = "right";
  static final String REGISTERS = "registers";
  static final String ALONE = "alone";
  static final String PAGES = "pages";
  static final String SHELF = "shelf";

  /** In what stands for the right cell. */
  static final long CELL = 0;

  private static final ObjectType<ReplicatedMap<Long, Long>> NUMBERS =
      ReplicatedMap.of(Long.class, Long.class);

  private static final ObjectType<ReplicatedMap<Long, InLog<Long>>> IN_LOG =
      ReplicatedMap.inLog(Long.class, Long.class);

  /** What is hosted, beside collections. */
  static final HostTypes HOSTED =
      HostTypes.COLLECTIONS.with(ListStore.PLAIN, ListStore.FORKING, Cell.TYPE, Shelf.TYPE);

  static final RemoteOptions REMOTE = RemoteOptions.DEFAULT.withPatience(Duration.ofMillis(300));

  final ReplicatedObjects objects;
  final RemoteObjects remote;

  /** By number; each second one is of a plain class. */
  final List<ListStore> stores = new ArrayList<>();

  /** The same once more, as views of the other kind if nobody forgets. */
  final List<ListStore> others = new ArrayList<>();

  /** Changed in transactions. */
  final ReplicatedMap<Long, Long> registers;

  /** Never in transactions. */
  final ReplicatedMap<Long, Long> alone;

  /** Never in transactions, and its values stay in the log. */
  final ReplicatedMap<Long, InLog<Long>> pages;

  /** Never in transactions. */
  final Shelf shelf;

  final Cell left;
  final ReplicatedMap<Long, Long> right;

  /** Views that this client plays itself. */
  ObjectViews(
      Corfu corfu, ObjectHabits habits, Runnable onFailure, DivergenceListener onDivergence) {
    this(corfu, habits, () -> false, onFailure, onDivergence);
  }

  /**
   * @param isRemote tells of one view after the other whether servers play it
   */
  ObjectViews(
      Corfu corfu,
      ObjectHabits habits,
      BooleanSupplier isRemote,
      Runnable onFailure,
      DivergenceListener onDivergence) {
    this.objects =
        ReplicatedObjects.over(
            corfu,
            ObjectOptions.DEFAULT
                .withOnFailure((object, operation, address, failure) -> onFailure.run())
                .withOnDivergence(onDivergence)
                .withCheckpoints(habits.checkpoints()));
    this.remote = objects.remote(REMOTE);
    for (int i = 0; i < habits.stores(); i++) {
      stores.add(open(isRemote, store(i), typeOf(i)));
      others.add(open(isRemote, store(i), typeOf(habits.isForgetting() ? i : i + 1)));
    }
    this.registers = open(isRemote, REGISTERS, NUMBERS);
    this.alone = open(isRemote, ALONE, NUMBERS);
    this.pages = open(isRemote, PAGES, IN_LOG);
    this.shelf = open(isRemote, SHELF, Shelf.TYPE);
    this.left = open(isRemote, LEFT, Cell.TYPE);
    this.right = open(isRemote, RIGHT, NUMBERS);
  }

  private <T> T open(BooleanSupplier isRemote, String name, ObjectType<T> type) {
    return isRemote.getAsBoolean() ? remote.open(name, type) : objects.open(name, type);
  }

  /** Tells the state of each object now. */
  void look(BiConsumer<String, String> told) {
    for (int i = 0; i < stores.size(); i++) {
      told.accept(store(i), stores.get(i).all().toString());
    }
    told.accept(REGISTERS, registers.toString());
    told.accept(ALONE, alone.toString());
    told.accept(PAGES, read(new TreeMap<>(pages)).toString());
    told.accept(SHELF, read(new TreeMap<>(shelf.values())).toString());
    told.accept(LEFT, Long.toString(left.get()));
    told.accept(RIGHT, right.toString());
  }

  private static Map<Long, Long> read(SortedMap<Long, InLog<Long>> known) {
    List<Long> values = InLog.getAll(known.values());
    Map<Long, Long> read = new TreeMap<>();
    known.forEach((register, value) -> read.put(register, values.get(read.size())));
    return read;
  }

  /** One of the maps that are never in transactions. */
  SoleMap sole(int which, ObjectHistory history) {
    return switch (which) {
      case 0 -> new SoleMap.InMemory(ALONE, alone);
      case 1 -> new SoleMap.Shelved(SHELF, shelf);
      default -> new SoleMap.Pages(PAGES, pages, history);
    };
  }

  static String store(int number) {
    return "lists" + number;
  }

  static ObjectType<ListStore> typeOf(int store) {
    return store % 2 == 0 ? ListStore.PLAIN : ListStore.FORKING;
  }

  /** What the right cell holds. */
  long right() {
    return right.getOrDefault(CELL, 1L);
  }
}
