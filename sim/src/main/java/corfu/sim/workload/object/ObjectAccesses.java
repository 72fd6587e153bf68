package corfu.sim.workload.object;

import corfu.sim.ListStore;
import corfu.sim.ListStore.GivenUpException;
import corfu.sim.history.ObjectCalls;
import corfu.sim.history.TransactionAttempt;
import corfu.sim.isolation.ObservedTransaction;
import corfu.sim.isolation.ObservedTransaction.Access;
import corfu.sim.isolation.ObservedTransaction.Fate;
import corfu.sim.isolation.ObservedTransaction.Promise;
import corfu.sim.world.SimRandom;
import java.util.List;

/** Single accesses of one thread to the objects that transactions use, and the values read. */
final class ObjectAccesses {

  private static final int OTHER_VIEW_ONE_IN = 6;
  private static final int REGISTERS = 4;

  private final ObjectCalls history;
  private final SimRandom chance;
  private final ObjectWorkloadProfile habits;
  private final String name;

  ObjectAccesses(ObjectCalls history, SimRandom chance, ObjectWorkloadProfile habits, String name) {
    this.history = history;
    this.chance = chance;
    this.habits = habits;
    this.name = name;
  }

  /** One list of one of the objects. */
  private record Place(ListStore store, long list, String key) {}

  private Place place(ObjectViews views) {
    return place(views, chance.below(habits.stores()));
  }

  private Place place(ObjectViews views, int number) {
    long list = chance.below(habits.lists());
    boolean isOther = chance.oneIn(OTHER_VIEW_ONE_IN);
    ListStore store = (isOther ? views.others : views.stores).get(number);
    return new Place(store, list, ObjectViews.store(number) + "/" + list);
  }

  /** Reads a list or a register. */
  void read(ObjectViews views, TransactionAttempt in) {
    if (chance.oneIn(4)) {
      readRegister(views, in, chance.below(REGISTERS));
    } else {
      readList(views, in);
    }
  }

  /** Reads a list. */
  void readList(ObjectViews views, TransactionAttempt in) {
    Place at = place(views);
    in.add(new Access.SawList(at.key(), at.store().get(at.list())));
  }

  /** Reads or changes a list or a register. */
  void access(ObjectViews views, TransactionAttempt in) {
    int dice = chance.below(100);
    if (dice < 40) {
      read(views, in);
    } else if (dice < 85) {
      changeList(views, in);
    } else {
      changeRegister(views, in);
    }
  }

  /** Reads or changes a list. */
  void accessList(ObjectViews views, TransactionAttempt in) {
    if (chance.oneIn(3)) {
      readList(views, in);
    } else {
      changeList(views, in);
    }
  }

  /** Changes a list of this object without reading it. */
  void appendUnseen(ObjectViews views, TransactionAttempt in, int store) {
    append(place(views, store), in);
  }

  private void changeList(ObjectViews views, TransactionAttempt in) {
    Place at = place(views);
    int dice = chance.below(100);
    if (dice < 8) {
      fail(at);
    } else if (dice < 50) {
      append(at, in);
    } else {
      Access.Appended change = new Access.Appended(at.key(), history.newValue());
      in.add(change);
      List<Long> seen = at.store().appendAndGet(at.list(), change.value());
      in.add(new Access.SawList(at.key(), seen));
    }
  }

  private void append(Place at, TransactionAttempt in) {
    Access.Appended change = new Access.Appended(at.key(), history.newValue());
    in.add(change); // first: the append may happen although the call throws
    at.store().append(at.list(), change.value());
  }

  /** Makes a mutator fail. Its change must never be seen, whatever becomes of its transaction. */
  private void fail(Place at) {
    Access.Appended change = new Access.Appended(at.key(), history.newValue());
    TransactionAttempt inVain = history.begin(name, Promise.STRICT);
    inVain.add(change);
    history.end(inVain, Fate.ABORTED);
    if (chance.oneIn(2)) {
      at.store().fail(at.list(), change.value());
      return;
    }
    try {
      List<Long> seen = at.store().failAndGet(at.list(), change.value());
      throw new IllegalStateException("it gives up, but returned " + seen);
    } catch (GivenUpException asItShould) {
      history.count("mutator that throws");
    }
  }

  private long readRegister(ObjectViews views, TransactionAttempt in, long register) {
    long value = views.registers.getOrDefault(register, ObservedTransaction.NOTHING);
    in.add(new Access.Saw(ObjectViews.REGISTERS + "/" + register, value));
    return value;
  }

  private void changeRegister(ObjectViews views, TransactionAttempt in) {
    long register = chance.below(REGISTERS);
    String key = ObjectViews.REGISTERS + "/" + register;
    Access.Wrote write = new Access.Wrote(key, history.newValue());
    if (chance.oneIn(2)) {
      readRegister(views, in, register);
      in.add(write);
      views.registers.fastPut(register, write.value());
    } else {
      Long before = views.registers.put(register, write.value());
      in.add(new Access.Saw(key, before == null ? ObservedTransaction.NOTHING : before));
      in.add(write);
    }
  }
}
