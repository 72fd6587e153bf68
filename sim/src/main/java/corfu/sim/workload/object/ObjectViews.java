package corfu.sim.workload.object;

import corfu.objects.DivergenceListener;
import corfu.objects.ObjectOptions;
import corfu.objects.RemoteObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.host.HostTypes;
import corfu.objects.remote.RemoteOptions;
import corfu.objects.serial.InLog;
import corfu.objects.type.ObjectType;
import corfu.runtime.Corfu;
import corfu.sim.Cell;
import corfu.sim.ListStore;
import corfu.sim.Shelf;
import corfu.sim.history.ObjectCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** The objects that all clients of a run share, as one client views them. */
public final class ObjectViews {

  static final String LEFT = "left";
  static final String RIGHT = "right";
  public static final String REGISTERS = "registers";
  static final String ALONE = "alone";
  static final String PAGES = "pages";
  static final String SHELF = "shelf";

  /** The key in the map that stands for the right cell. */
  static final long CELL = 0;

  private static final ObjectType<ReplicatedMap<Long, Long>> NUMBERS =
      ReplicatedMap.of(Long.class, Long.class);

  private static final ObjectType<ReplicatedMap<Long, InLog<Long>>> IN_LOG =
      ReplicatedMap.inLog(Long.class, Long.class);

  /** The type of a plain class with one instance, which is copied by serialization. */
  private static final ObjectType<ListStore> PLAIN =
      ObjectTypes.of(ListStore.class, ListStore.Lists::new);

  /** The same type with states that can be forked. */
  private static final ObjectType<ListStore> FORKING =
      new Marked<>(
          ObjectTypes.persistent(
              ListStore.class,
              ListStore.Lists::new,
              new ListStore.Forks(),
              List.of(ListStore.Lists.class)),
          "forking lists");

  /** The types that servers host, beside collections. */
  public static final HostTypes HOSTED =
      HostTypes.COLLECTIONS.with(PLAIN, FORKING, Cell.TYPE, Shelf.TYPE);

  static final RemoteOptions REMOTE = RemoteOptions.DEFAULT.withPatience(Duration.ofMillis(300));

  public final ReplicatedObjects objects;
  final RemoteObjects remote;

  /** By number; every second one is of the forking type. */
  public final List<ListStore> stores = new ArrayList<>();

  /** The same objects once more. If no client forgets history, they are views of the other type. */
  final List<ListStore> others = new ArrayList<>();

  /** Changed in transactions. */
  public final ReplicatedMap<Long, Long> registers;

  /** Never used in transactions. */
  public final ReplicatedMap<Long, Long> alone;

  /** Never used in transactions; its values stay in the log. */
  final ReplicatedMap<Long, InLog<Long>> pages;

  /** Never used in transactions. */
  final Shelf shelf;

  public final Cell left;
  final ReplicatedMap<Long, Long> right;

  /** Makes views that this client plays itself. */
  public ObjectViews(
      Corfu corfu,
      ObjectWorkloadProfile habits,
      Runnable onFailure,
      DivergenceListener onDivergence) {
    this(corfu, habits, () -> false, onFailure, onDivergence);
  }

  /**
   * @param isRemote called for each view: whether servers host it
   */
  public ObjectViews(
      Corfu corfu,
      ObjectWorkloadProfile habits,
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

  /** Records the final state of each view. */
  public void record(String who, ObjectCalls history) {
    look(
        (object, state) ->
            history.saw(who, new ObjectCalls.Cut(object, ObjectCalls.Cut.END), state));
  }

  /** Passes on the current state of each object. */
  private void look(BiConsumer<String, String> told) {
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

  /** Returns one of the maps that are never used in transactions. */
  SoleMap sole(int which, ObjectCalls history) {
    return switch (which) {
      case 0 -> new SoleMap.InMemory(ALONE, alone);
      case 1 -> new SoleMap.Shelved(SHELF, shelf);
      default -> new SoleMap.Pages(PAGES, pages, history);
    };
  }

  public static String store(int number) {
    return "lists" + number;
  }

  public static ObjectType<ListStore> typeOf(int store) {
    return store % 2 == 0 ? PLAIN : FORKING;
  }

  /** Returns the right cell's value. */
  long right() {
    return right.getOrDefault(CELL, 1L);
  }
}
