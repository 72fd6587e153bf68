package corfu.node.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JavaCommandTest {

  @Test
  void processesOfTheSameProgramHaveItsFlagsAndItsAotCache() {
    for (String flag :
        new String[] {"-Xmx1g", "-XX:+UseG1GC", "-XX:AOTCache=/c", "-Xlog:aot=off", "-Da=b"}) {
      assertThat(JavaCommand.isInherited(flag)).as(flag).isTrue();
    }
  }

  @Test
  void noFlagThatIsAboutOneProcessIsInherited() {
    for (String flag :
        new String[] {
          "-agentlib:jdwp",
          "-javaagent:a.jar",
          "-Xlog:gc:file=gc.log",
          "-XX:AOTCacheOutput=/c",
          "-XX:AOTMode=record",
          "-XX:StartFlightRecording"
        }) {
      assertThat(JavaCommand.isInherited(flag)).as(flag).isFalse();
    }
  }
}
