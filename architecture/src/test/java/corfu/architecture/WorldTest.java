package corfu.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.zookeeper.server.PrepRequestProcessor;
import org.apache.zookeeper.server.quorum.QuorumPeer;

/**
 * Time, threads, random numbers and disks come from a component's world. Code that bypasses the
 * world cannot be simulated, and its failures have no seed.
 */
@AnalyzeClasses(packages = "corfu", importOptions = DoNotIncludeTests.class)
class WorldTest {

  private static final String CONSTRUCTOR = "<init>";

  @ArchTest
  static final ArchRule timeComesFromTheWorld =
      noClasses()
          .that()
          .resideOutsideOfPackages("corfu.world..", "corfu.bench..", "corfu.peers..", "corfu.cli..")
          .should()
          .accessTargetWhere(
              uses(System.class, "nanoTime", "currentTimeMillis")
                  .or(uses(Instant.class, "now"))
                  .or(uses(LocalDate.class, "now"))
                  .or(uses(LocalDateTime.class, "now"))
                  .or(uses(OffsetDateTime.class, "now"))
                  .or(uses(ZonedDateTime.class, "now"))
                  .or(uses(Clock.class, "systemUTC", "systemDefaultZone", "system"))
                  .or(uses(Thread.class, "sleep"))
                  .or(uses(CompletableFuture.class, "delayedExecutor"))
                  .or(uses(CompletableFuture.class, "orTimeout", "completeOnTimeout"))
                  .as("read a clock or sleep"));

  /** Two classes of ZooKeeper are threads, but namespaces do not start them. */
  @ArchTest
  static final ArchRule threadsComeFromTheWorld =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "corfu.world..", "corfu.sim..", "corfu.bench..", "corfu.peers..", "corfu.cli..")
          .should()
          .accessTargetWhere(
              uses(Thread.class, CONSTRUCTOR, "start", "startVirtualThread")
                  .or(uses(Thread.class, "ofVirtual", "ofPlatform"))
                  .or(uses(Executors.class))
                  .or(uses(ForkJoinPool.class))
                  .or(uses(ThreadPoolExecutor.class, CONSTRUCTOR))
                  .or(uses(ScheduledThreadPoolExecutor.class, CONSTRUCTOR))
                  .or(uses(Timer.class))
                  .and(not(uses(PrepRequestProcessor.class).or(uses(QuorumPeer.class))))
                  .as("start a thread"));

  @ArchTest
  static final ArchRule chanceComesFromTheWorld =
      noClasses()
          .that()
          .resideOutsideOfPackages("corfu.world..", "corfu.sim..")
          .should()
          .accessTargetWhere(
              uses(Random.class, CONSTRUCTOR)
                  .or(uses(SplittableRandom.class, CONSTRUCTOR))
                  .or(uses(SecureRandom.class))
                  .or(uses(ThreadLocalRandom.class))
                  .or(uses(Math.class, "random"))
                  .or(uses(UUID.class, "randomUUID"))
                  .as("draw a random number"));

  /**
   * The JDK's immutable collections have another order in every virtual machine, except with one
   * element.
   */
  @ArchTest
  static final ArchRule whatIsSimulatedHasOneOrder =
      noClasses()
          .that()
          .resideInAnyPackage("corfu.sim..", "corfu.runtime..", "corfu.roles..")
          .should()
          .callMethodWhere(
              makesSeveral(Map.class, 2)
                  .or(makesSeveral(Set.class, 1))
                  .as("make a map or a set whose order is another one in every virtual machine"));

  /**
   * ZooKeeper's read-only server must have a directory, which it does not use. Imports and exports
   * check the directories of ZooKeeper's own files.
   */
  @ArchTest
  static final ArchRule disksComeFromTheWorld =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "corfu.world..", "corfu.node..", "corfu.bench..", "corfu.peers..", "corfu.cli..")
          .and()
          .doNotHaveFullyQualifiedName("corfu.zookeeper.server.ReadOnlyServer")
          .and()
          .resideOutsideOfPackage("corfu.zookeeper.transfer")
          .and() // sockets in the file system, and the files of keys
          .resideOutsideOfPackages(
              "corfu.nbd.internal.server",
              "corfu.nbd.internal.tls",
              "corfu.transport.tls",
              "corfu.pki.internal.file")
          .should()
          .accessTargetWhere(
              uses(Files.class)
                  .or(uses(FileChannel.class, "open"))
                  .or(uses(AsynchronousFileChannel.class, "open"))
                  .or(uses(RandomAccessFile.class))
                  .or(uses(FileInputStream.class))
                  .or(uses(FileOutputStream.class))
                  .or(uses(FileReader.class))
                  .or(uses(FileWriter.class))
                  .or(uses(File.class))
                  .as("touch a file"));

  @ArchTest
  static final ArchRule onlyCommandsTalkToTheTerminal =
      noClasses()
          .that()
          .resideOutsideOfPackages("corfu.bench..", "corfu.peers..", "corfu.cli..")
          .should()
          .accessTargetWhere(
              uses(System.class, "out", "err", "console")
                  .or(uses(Throwable.class, "printStackTrace"))
                  .as("print"));

  @ArchTest
  static final ArchRule logsGoThroughOneDoor =
      noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging..");

  /** Matches calls of {@code of} and {@code ofEntries} with more arguments than one element has. */
  private static DescribedPredicate<JavaMethodCall> makesSeveral(Class<?> type, int ofOne) {
    return DescribedPredicate.describe(
        type.getSimpleName() + ".of of several",
        call -> {
          var arguments = call.getTarget().getRawParameterTypes();
          return call.getTargetOwner().isEquivalentTo(type)
              && call.getName().startsWith("of")
              && (arguments.size() > ofOne || arguments.stream().anyMatch(JavaClass::isArray));
        });
  }

  /** Matches any access to these members of the type, or to any member if none is named. */
  private static DescribedPredicate<JavaAccess<?>> uses(Class<?> type, String... members) {
    var names = Set.of(members);
    return DescribedPredicate.describe(
        type.getSimpleName(),
        access ->
            access.getTargetOwner().isAssignableTo(type)
                && (names.isEmpty() || names.contains(access.getTarget().getName())));
  }
}
