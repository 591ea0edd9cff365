import {
  ownOfBats,
  ownOfCargo,
  ownOfCtest,
  ownOfGo,
  ownOfGradle,
  ownOfGtest,
  ownOfMaven,
  ownOfPhpunit,
  ownOfPytest,
  ownOfRspec,
  programOf,
  type Runner,
} from './runners.ts';

const go = {
  'go.mod': 'module example.com/shop\n\ngo 1.19\n',
  'cart_test.go': `package shop

import (
	"fmt"
	"testing"
	"time"
)

func TestAdds(t *testing.T)    {}
func TestFatal(t *testing.T)   { t.Log("context first"); t.Fatal("boom") }
func TestPartial(t *testing.T) { fmt.Print("no newline") }
func TestSlow(t *testing.T)    { time.Sleep(300 * time.Millisecond) }
func TestSkips(t *testing.T)   { t.Skip("no network") }
func TestTable(t *testing.T) {
	t.Run("one", func(t *testing.T) {})
	t.Run("two words", func(t *testing.T) { t.Error("second") })
}
`,
  'panics/p_test.go':
    'package panics\n\nimport "testing"\n\nfunc TestBefore(t *testing.T) {}\nfunc TestPanics(t *testing.T) { panic("kaboom") }\n',
};

const bun = programOf('bun', ['bun']) ?? 'bun';
const deno = programOf('deno', ['deno']) ?? 'deno';

const debian = '/usr/share/maven-repo';
const maven = ['mvn', '-s', 'settings.xml', '-B', 'test', '-Dmaven.repo.local=.m2'];
const gradle = ['gradle', '--offline', '--no-daemon', '--console=plain', '--gradle-user-home=.gradle-home'];
const plugin = (name: string, version: string) =>
  `<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-${name}-plugin</artifactId><version>${version}</version></plugin>`;
const java = (folder: string) => ({
  [`${folder}/CartTest.java`]: `package shop;
import static org.junit.Assert.*;
import org.junit.*;
public class CartTest {
  @Test public void adds() { System.out.println("said aloud"); }
  @Test public void slow() throws Exception { Thread.sleep(300); }
  @Test public void breaks() { assertEquals("sums", 4, 1 + 2); }
  @Test public void errors() { throw new IllegalStateException("went wrong"); }
  @Test @Ignore("no network") public void skips() {}
  @Test public void assumes() { Assume.assumeTrue("not here", false); }
}
`,
  [`${folder}/BrokenTest.java`]: `package shop;
import org.junit.*;
public class BrokenTest {
  @BeforeClass public static void before() { throw new RuntimeException("no orders"); }
  @Test public void kept() {}
}
`,
});

export const runners: readonly Runner[] = [
  {
    name: 'go test -json',
    program: 'go',
    files: go,
    command: ['go', 'test', '-json', './...'],
    own: (folder) => ownOfGo(folder, './...'),
    slow: { name: 'TestSlow', ms: 300 },
    failures: {
      TestFatal: { message: 'boom', file: 'cart_test.go', line: 10 },
      TestPanics: { message: 'panic: kaboom', file: 'panics/p_test.go', line: 6 },
    },
  },
  {
    name: 'gotestsum',
    program: 'gotestsum',
    files: go,
    command: ['gotestsum', '--', './...'],
    own: (folder) => ownOfGo(folder, './...'),
    slow: { name: 'TestSlow', ms: 300 },
    failures: { TestFatal: { message: 'boom', file: 'cart_test.go', line: 10 } },
  },
  {
    name: 'cargo test',
    program: 'cargo',
    files: {
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': `/// \`\`\`
/// assert_eq!(shop::add(1, 2), 3);
/// \`\`\`
pub fn add(a: u32, b: u32) -> u32 { a + b }
#[cfg(test)]
mod tests {
    use super::*;
    #[test] fn adds() { assert_eq!(add(1, 2), 3); }
    #[test] fn breaks() { assert_eq!(add(1, 2), 4, "sums"); }
    #[test] #[ignore = "no network"] fn skips() {}
    #[test] #[should_panic] fn calm() {}
}
`,
      'tests/cart.rs': '#[test] fn adds() {}\n#[test] fn result() -> Result<(), String> { Err("went wrong".into()) }\n',
    },
    command: ['cargo', 'test', '--no-fail-fast'],
    own: (folder) => ownOfCargo(folder),
    failures: { 'tests::breaks': { message: 'sums', file: 'src/lib.rs', line: 9 }, result: { message: 'went wrong' } },
  },
  {
    name: 'RSpec',
    program: 'rspec',
    files: {
      'spec/cart_spec.rb': `RSpec.describe 'cart' do
  it('adds') { expect(1).to eq 1 }
  it('breaks') { expect(1).to eq 2 }
  it('throws') { raise 'went wrong' }
  it('skips', skip: 'no network') { }
  it('later')
  pending('known') { expect(1).to eq 2 }
  context('deep') { it('twins') {} }
  it('sleeps') { sleep 0.3 }
end
`,
    },
    command: ['rspec'],
    own: (folder) => ownOfRspec(folder),
    slow: { name: 'cart sleeps', ms: 300 },
    failures: {
      'cart breaks': { message: 'expected: 2', file: 'spec/cart_spec.rb', line: 3 },
      'cart throws': { message: 'went wrong', line: 4 },
    },
  },
  {
    name: 'PHPUnit',
    program: 'phpunit',
    files: {
      'CartTest.php': `<?php use PHPUnit\\Framework\\TestCase;
final class CartTest extends TestCase {
 public function testAdds(): void { $this->assertSame(1, 1); }
 public function testBreaks(): void { $this->assertSame(1, 2); }
 public function testThrows(): void { throw new RuntimeException('went wrong'); }
 public function testSlow(): void { usleep(300000); $this->assertTrue(true); }
 public function testRisky(): void { }
 public function testSkips(): void { $this->markTestSkipped('no network'); }
 public function testLater(): void { $this->markTestIncomplete('not yet'); }
 /** @dataProvider sums */ public function testSums($a, $b): void { $this->assertSame($a, $b); }
 public static function sums(): array { return ['one' => [1, 1], 'two' => [1, 2]]; }
}
`,
    },
    command: ['phpunit', 'CartTest.php'],
    own: (folder) => ownOfPhpunit(folder, 'CartTest.php'),
    slow: { name: 'testSlow', ms: 300 },
    failures: {
      testBreaks: { message: 'Failed asserting that 2 is identical to 1.', file: 'CartTest.php', line: 4 },
      testThrows: { message: 'went wrong', line: 5 },
    },
  },
  {
    name: 'pytest',
    program: 'pytest',
    files: {
      'test_cart.py': `import pytest
def test_adds(): pass
def test_breaks(): assert 1 == 2, "sums"
@pytest.mark.skip(reason="no network")
def test_skips(): pass
@pytest.mark.xfail
def test_known(): assert False
@pytest.fixture
def broken(): raise RuntimeError("no fixture")
def test_fixture(broken): pass
@pytest.mark.parametrize("n", [1, 2])
def test_many(n): assert n == 1
def test_slow(): __import__('time').sleep(0.3)
`,
    },
    command: ['python3', '-m', 'pytest', '-q'],
    own: (folder) => ownOfPytest(folder),
    slow: { name: 'test_slow', ms: 300 },
    failures: { test_breaks: { message: 'sums', file: 'test_cart.py' }, test_fixture: { message: 'no fixture' } },
  },
  {
    name: 'bats',
    program: 'bats',
    files: {
      'a.bats': '@test "adds" { true; }\n@test "breaks" { [ 1 -eq 2 ]; }\n@test "later" { skip "no network"; }\n',
      'b.bats': '@test "adds" { true; }\n',
    },
    command: ['bats', '.'],
    own: (folder) => ownOfBats(folder),
    failures: { breaks: { message: 'failed', file: 'a.bats', line: 2 } },
  },
  {
    name: 'CTest',
    program: 'ctest',
    files: {
      'CMakeLists.txt': `cmake_minimum_required(VERSION 3.20)
project(shop NONE)
enable_testing()
add_test(NAME adds COMMAND true)
add_test(NAME slow COMMAND sleep 0.3)
add_test(NAME breaks COMMAND sh -c "echo went wrong; exit 1")
add_test(NAME missing COMMAND nothing-here)
add_test(NAME skips COMMAND sh -c "exit 77")
set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME off COMMAND true)
set_tests_properties(off PROPERTIES DISABLED TRUE)
`,
    },
    build: ['cmake', '-B', 'build', '.'],
    command: ['ctest', '--test-dir', 'build'],
    own: (folder) => ownOfCtest(folder),
    slow: { name: 'slow', ms: 300 },
    failures: { breaks: { message: 'went wrong' }, missing: { message: 'Unable to find executable' } },
  },
  {
    name: 'GoogleTest',
    program: 'g++',
    needs: ['/usr/include/gtest/gtest.h'],
    files: {
      'cart_test.cc': `#include <gtest/gtest.h>
#include <unistd.h>
TEST(Cart, Slow) { usleep(300000); }
TEST(Cart, Adds) { EXPECT_EQ(1, 1); }
TEST(Cart, Breaks) { EXPECT_EQ(1, 2) << "sums"; }
TEST(Cart, Skips) { GTEST_SKIP() << "no network"; }
`,
    },
    build: ['g++', '-std=c++17', 'cart_test.cc', '-o', 'cart_test', '-lgtest', '-lgtest_main', '-lpthread'],
    command: ['./cart_test'],
    own: (folder) => ownOfGtest(folder),
    slow: { name: 'Slow', ms: 300 },
    failures: { Breaks: { message: 'sums' } },
  },
  {
    name: 'Bun',
    program: bun,
    files: {
      'cart.test.ts': `import { describe, expect, test } from 'bun:test';
describe('cart', () => { test('adds', () => {}); test('breaks', () => { throw new Error('broken'); }); test.skip('skips', () => {}); test('slow', () => Bun.sleep(300)); });
`,
    },
    command: [bun, 'test'],
    own: () => ['adds: CleanPass', 'breaks: Failed', 'skips: Skipped', 'slow: CleanPass'],
    slow: { name: 'slow', ms: 300 },
    failures: { breaks: { message: 'broken' } },
  },
  {
    name: 'Deno',
    program: deno,
    files: {
      'cart_test.ts': `Deno.test('adds', () => {});
Deno.test('breaks', () => { throw new Error('broken'); });
Deno.test({ name: 'skips', ignore: true, fn() {} });
Deno.test('slow', () => new Promise((done) => setTimeout(done, 300)));
`,
    },
    command: [deno, 'test'],
    own: () => ['adds: CleanPass', 'breaks: Failed', 'skips: Skipped', 'slow: CleanPass'],
    slow: { name: 'slow', ms: 300 },
    failures: { breaks: { message: 'broken' } },
  },
  {
    name: 'Maven (Surefire)',
    program: 'mvn',
    needs: [debian, `${debian}/org/apache/maven/plugins/maven-surefire-plugin`, `${debian}/junit`],
    files: {
      ...java('src/test/java/shop'),
      'settings.xml': `<settings><mirrors><mirror><id>debian</id><mirrorOf>*</mirrorOf><url>file://${debian}</url></mirror></mirrors></settings>`,
      'pom.xml': `<project><modelVersion>4.0.0</modelVersion><groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies>
<build><plugins>${plugin('resources', '3.3.0')}${plugin('compiler', '3.10.1')}${plugin('surefire', '2.22.3')}</plugins></build></project>`,
    },
    command: maven,
    own: (folder) =>
      ownOfMaven(folder, maven, ['adds: CleanPass', 'slow: CleanPass', 'skips: Skipped', 'assumes: Skipped']),
    slow: { name: 'slow', ms: 300 },
    failures: {
      breaks: { message: 'sums expected:<4> but was:<3>', file: 'src/test/java/shop/CartTest.java', line: 7 },
      errors: { message: 'went wrong', file: 'src/test/java/shop/CartTest.java', line: 8 },
      'shop.BrokenTest': { message: 'no orders', file: 'src/test/java/shop/BrokenTest.java', line: 4 },
    },
  },
  {
    name: 'Gradle',
    program: 'gradle',
    needs: [`${debian}/junit`],
    files: {
      ...java('cart/src/test/java/shop'),
      'settings.gradle': "include 'cart'\n",
      'cart/build.gradle': `apply plugin: 'java'
repositories { maven { url 'file://${debian}' } }
dependencies { testCompile 'junit:junit:4.x' }
test { testLogging { events 'passed', 'skipped', 'failed' } }
`,
    },
    command: [...gradle, 'test'],
    own: (folder) => ownOfGradle(folder, [...gradle, 'cleanTest', 'test']),
    slow: { name: 'slow', ms: 300 },
    failures: {
      breaks: { message: 'sums expected:<4> but was:<3>', file: 'cart/src/test/java/shop/CartTest.java', line: 7 },
      classMethod: { message: 'no orders', file: 'cart/src/test/java/shop/BrokenTest.java', line: 4 },
    },
  },
];
