package corfu.example;

import corfu.node.EmbeddedCluster;
import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.runtime.Corfu;
import java.nio.file.Path;

public class Bank {

  static class Account { // a plain class; nothing in it knows of a cluster
    private long balance;

    @Mutator
    public void deposit(long amount) {
      balance += amount;
    }

    @MutatorAccessor
    public long withdraw(long amount) {
      if (amount > balance) {
        throw new IllegalStateException("there is only " + balance);
      }
      return balance -= amount;
    }

    @Accessor
    public long balance() {
      return balance;
    }
  }

  public static void main(String[] arguments) {
    Path directory = Path.of(arguments.length > 0 ? arguments[0] : "bank");
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder().nodes(3).replicas(2).directory(directory).start();
        Corfu client = cluster.connect()) {
      ReplicatedObjects objects = ReplicatedObjects.over(client);
      Account alice = objects.open("alice", Account.class);
      Account bob = objects.open("bob", Account.class);

      alice.deposit(100);
      objects.transact( // both, or none, whatever fails and whoever else is at work
          () -> {
            alice.withdraw(30);
            bob.deposit(30);
          });
      System.out.println("alice has " + alice.balance() + ", bob has " + bob.balance());
    }
  }
}
