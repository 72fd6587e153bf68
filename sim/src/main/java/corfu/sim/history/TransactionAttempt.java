package corfu.sim.history;

import corfu.sim.isolation.ObservedTransaction;
import corfu.sim.isolation.ObservedTransaction.Access;
import corfu.sim.isolation.ObservedTransaction.Fate;
import corfu.sim.isolation.ObservedTransaction.Promise;
import java.util.ArrayList;
import java.util.List;

/** A transaction in progress, or one attempt at it: what its client has read and written so far. */
public final class TransactionAttempt {

  private final String name;
  private final String process;
  private Promise promise;
  private final long invoked;
  private final List<Access> accesses = new ArrayList<>();
  private long returned = ObservedTransaction.NEVER;
  private Fate fate = Fate.UNKNOWN;

  public TransactionAttempt(String name, String process, Promise promise, long invoked) {
    this.name = name;
    this.process = process;
    this.promise = promise;
    this.invoked = invoked;
  }

  public String name() {
    return name;
  }

  /** Returns the name of its thread. */
  public String client() {
    return name.substring(0, name.lastIndexOf('#'));
  }

  public void add(Access access) {
    accesses.add(access);
  }

  public void end(Fate how, long moment) {
    fate = how;
    returned = moment;
  }

  /** Changes the guarantee of the transaction afterwards. */
  public void isPromised(Promise other) {
    promise = other;
  }

  public boolean isUnderWay() {
    return returned == ObservedTransaction.NEVER;
  }

  ObservedTransaction observed() {
    return new ObservedTransaction(name, process, invoked, returned, fate, promise, accesses);
  }
}
