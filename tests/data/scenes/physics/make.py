import json
def rod(**k):
    d={"name":"rod","elements":8,"length":0.5,"radius":0.01,"density":1000,"young":1e7,"position":[0,0.1]}
    d.update(k); return {a:b for a,b in d.items() if b is not None}
def fib(**k):
    d={"name":"rope","elements":10,"length":0.5,"radius":0.005,"density":1000,"young":1e7,"position":[0,0,0.1]}
    d.update(k); return {a:b for a,b in d.items() if b is not None}
G={"name":"ground","shape":"half_plane"}
P={"name":"ground","shape":"plane"}
def s2(rods,**k):
    d={"capstan":1,"duration":0.5,"rods":rods,"obstacles":[G]}; d.update(k); return {a:b for a,b in d.items() if b is not None}
def s3(fibers,**k):
    d={"capstan":1,"dim":3,"duration":0.5,"fibers":fibers,"obstacles":[P]}; d.update(k); return {a:b for a,b in d.items() if b is not None}
S={}
blob={"name":"blob","shape":"mesh","file":"blob.obj","position":[0,0,-200]}
S["mesh_in_mm"]=s3([fib()],obstacles=[P,dict(blob,scale=1000,position=[0,0,-1000.0])])
S["mesh_in_cm"]=s3([fib()],obstacles=[P,dict(blob,scale=60,position=[0,0,-80.0])])
S["mesh_tiny"]=s3([fib()],obstacles=[P,dict(blob,scale=0.001,position=[0,0,0.05])])
S["inside_mesh"]=s3([fib(position=[-0.25,0,0])],obstacles=[dict(blob,scale=1,position=[0,0,0])])
S["inside_chain"]=s2([rod(position=[0.2,0.5])],obstacles=[{"name":"block","shape":"chain","closed":True,"solid":True,"points":[[0,0],[0,1],[1,1],[1,0]]}])
S["below_ground"]=s2([rod(position=[0,-0.3])])
S["below_plane"]=s3([fib(position=[0,0,-0.3])])
S["in_sphere"]=s3([fib(position=[0,0,0.5])],obstacles=[{"name":"ball","shape":"sphere","radius":1,"position":[0,0,0]}])
S["overlap"]=s2([rod(name="lower"),rod(name="upper",position=[0,0.102])])
S["overlap_many"]=s3(None,generators=[{"name":"rope","type":"row","count":5,"spacing":[0,0.006,0],"of":{"fiber":{k:v for k,v in fib().items() if k!="name"}}}])
S["overlap_obstacle"]=s2([rod(position=[0,0.006])])
S["overlap_self"]=s2([rod(elements=40,length=2,curvature=6.9,radius=0.02,position=[0,0.5])])
S["clamp_in_obstacle"]=s2([rod(position=[0,0.5],clamped=True)],obstacles=[{"name":"wall","shape":"half_plane","normal":[1,0]}])
S["dt_longer_than_run"]=s2([rod()],duration=0.05,time_step=10)
S["many_steps"]=s2([rod()],duration=0.05,time_step=1e-12)
S["no_frames"]=s2([rod()],duration=0.05,output={"frame_interval":0.2})
S["thrown"]=s2([rod(velocity=[60,0])])
S["thrown_too_fast"]=s2([rod(velocity=[2000,0])])
S["obstacle_sweeps"]=s2([rod()],obstacles=[G,{"name":"arm","shape":"disk","radius":0.05,"position":[-0.3,0.5],"motion":{"keys":[{"time":0},{"time":0.01,"translation":[0.8,0]}]}}])
S["turns_in_degrees"]=s2([rod(position=[0.3,0.5])],obstacles=[G,{"name":"arm","shape":"chain","points":[[0,0],[0.5,0]],"radius":0.01,"position":[0,1.5],"motion":{"keys":[{"time":0},{"time":0.5,"rotation":360}]}}])
S["clamp_sweeps"]=s2([rod(clamped=True,motion={"keys":[{"time":0},{"time":0.01,"translation":[0.3,0]}]},position=[0,0.4])])
S["dt_falls"]=s2([rod(radius=0.001)],time_step=0.02)
S["empty"]=s2(None,obstacles=None)
S["nothing_acts"]=s2([rod()],gravity=[0,0])
S["thick"]=s2([rod(radius=10)],obstacles=None)
S["thin"]=s2([rod(radius=1e-7,young=None,density=None,bending_stiffness=1e-3,mass_per_length=0.01)])
S["wound_into_itself"]=s2([rod(radius=0.03,curvature=40,position=[0,0.3])])
S["long_in_mm"]=s2([rod(length=50000,radius=10,position=[0,100])],time_step=1e-3)
S["sizes_apart"]=s2([rod(),rod(name="wire",length=0.0004,radius=0.00001,position=[0,0.3],elements=2)])
S["huge_obstacle"]=s2([rod(position=[0,0.02])],obstacles=[{"name":"earth","shape":"disk","radius":6e6,"position":[0,-6e6]}])
S["density_g_cm3"]=s2([rod(density=0.001)])
S["density_heavy"]=s2([rod(density=7.8e6,young=2e11)])
S["young_gpa"]=s2([rod(young=200)])
S["young_hard"]=s2([rod(young=2e14)])
S["limp"]=s2([rod(elements=4,length=2,density=None,young=None,mass_per_length=0.5,bending_stiffness=1e-5)])
S["gravity_cm"]=s2([rod()],gravity=[0,-981])
S["gravity_mm"]=s2([rod(radius=0.02)],gravity=[0,-9810],time_step=1e-4)
S["gravity_y_in_space"]=s3([fib()],gravity=[0,0,9.81])
S["damping"]=s2([rod(damping_time=10)])
S["drag"]=s2([rod(drag=1e5)])
S["load_units"]=s2([rod(clamped=True,position=[0,0.5])],loads=[{"name":"pull","body":"rod","at":"end","force":[0,-1e6]}])
S["masses_apart"]=s2([rod(mass_per_length=1e-12,density=None,young=None,bending_stiffness=1e-3)],rigid_bodies=[{"name":"anvil","shape":"disk","radius":0.1,"mass":1000,"position":[2,0.5]}])
S["friction_percent"]=s2([rod(friction=30)])
S["friction_default"]=s2([rod()],friction=50)
S["restitution_quasi_static"]=s2([rod(clamped=True,position=[0,0.3],mass_per_length=1e-6,density=None,restitution=0.5)],time_step={"dt":0.01,"quasi_static":True,"iterations":20})
S["quasi_static_lags"]=s2([rod(clamped=True,position=[0,0.5],young=1e5)],duration=2,obstacles=None,time_step={"dt":1e-3,"quasi_static":True,"iterations":30})
S["theta_misses_modes"]=s2([rod(young=2e11,length=0.1,elements=4)],time_step={"dt":1e-2,"theta":0.5,"adaptive":True})
S["solver_tolerance"]=s2([rod()],solver={"tolerance":0.1})
S["solver_iterations"]=s2([rod()],solver={"max_iterations":5})
S["step_iterations"]=s2([rod()],time_step={"dt":1e-3,"iterations":900})
S["step_tolerance"]=s2([rod()],time_step={"dt":1e-3,"iterations":5,"tolerance":0.1})
S["limits"]=s2([rod()],time_step={"dt":1e-3,"adaptive":True,"penetration_limit":20})
S["margin"]=s2([rod()],contact={"margin":0.2})
S["out_of_reach"]=s2([rod()],obstacles=[G,{"name":"post","shape":"disk","radius":0.1,"position":[400,0]}],probes=[{"name":"post","type":"obstacle_force","obstacle":"post"}])
S["falls_past"]=s3([fib(position=[3,0,1])],duration=2,obstacles=[{"name":"table","shape":"box","edges":[1,1,0.1],"position":[0,0,0]}])
S["after_the_end"]=s2([rod(clamped=True,position=[0,0.5])],obstacles=[dict(G,motion={"keys":[{"time":500},{"time":1000,"translation":[0,0.1]}]})],constraints=[{"name":"hold","type":"pinned","body":"rod","at":"end","release_time":300}],loads=[{"name":"pull","body":"rod","at":"end","force":[0,-1],"factor":[[0,0],[100,0],[200,1]]}])
S["probe_of_released"]=s2([rod()],constraints=[{"name":"hold","type":"pinned","body":"rod","at":"end","release_time":0}],probes=[{"name":"hold","type":"constraint_force","constraint":"hold"}])
S["coarse_at_post"]=s3([fib(elements=5,length=1,radius=0.002,density=None,young=None,mass_per_length=0.05,bending_stiffness=2e-7,position=[-0.5,0,0.1])],obstacles=[{"name":"post","shape":"cylinder","radius":0.02,"length":0.5,"direction":[0,1,0]}])
S["fine"]=s2([rod(elements=2000)])
S["many_elements"]=s3([fib(elements=400000,length=200,radius=0.002,position=[0,0,0.1])])
S["memory"]=s3(None,generators=[{"name":"rope","type":"grid","columns":10,"rows":10,"spacing":[60,0.1,0.1],"of":{"fiber":{k:v for k,v in fib(elements=6000,length=50).items() if k!="name"}}}])
S["disk"]=s2([rod(elements=400,length=8)],duration=2000,output={"frame_interval":1e-3})
S["free_equilibrium"]=s2([rod()],equilibrium_first=True)
if __name__=="__main__":
    for k,v in S.items():
        json.dump(v,open(k+".json","w"))
        t=open(k+".json").read()
        # a line for each key of the scene and each thing in a list, so that places are easy to read
        out="{\n"+",\n".join('  %s: %s'%(json.dumps(a),"[\n    "+",\n    ".join(json.dumps(x) for x in b)+"\n  ]" if isinstance(b,list) and b and isinstance(b[0],dict) else json.dumps(b)) for a,b in v.items())+"\n}\n"
        open(k+".json","w").write(out)
